package io.neardup.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.engine.protocol.DocumentCoordinator;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;

/**
 * A protocol of its own: its classes and those of the simulation are loaded anew, one source of them compiled from
 * other code. All else comes from the class loader of the tests.
 */
final class MutatedProtocol extends URLClassLoader {
    private static final List<String> ANEW = List.of("io.neardup.engine.protocol.", "io.neardup.simulation.");

    /** Where the protocol is: what it is compiled with, not all that tests have, of which each jar would be opened. */
    private static final List<URL> PLACES = Stream.of(DocumentCoordinator.class, SimulationRun.class, NullMarked.class)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
            .toList();

    private static final String CLASS_PATH = PLACES.stream()
            .map(place -> Path.of(URI.create(place.toString())).toString())
            .collect(Collectors.joining(File.pathSeparator));

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
    private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, UTF_8);

    /** What is changed comes before what it is changed from. */
    private MutatedProtocol(Path changed) throws IOException {
        super(
                Stream.concat(Stream.of(changed.toUri().toURL()), PLACES.stream())
                        .toArray(URL[]::new),
                DocumentCoordinator.class.getClassLoader());
    }

    /**
     * The simulation, by seed, on a changed protocol.
     *
     * @param folder empty
     */
    static LongFunction<Optional<String>> simulation(Mutant.FaultySource source, Path folder) throws Exception {
        compile(Files.writeString(folder.resolve(source.fileName()), source.code(), UTF_8), folder);
        Class<?> run = new MutatedProtocol(folder).loadClass(SimulationRun.class.getName());
        @SuppressWarnings("unchecked") // SimulationRun says so; it is not the class of that name that is known here.
        LongFunction<Optional<String>> simulation =
                (LongFunction<Optional<String>>) run.getDeclaredConstructor().newInstance();
        return simulation;
    }

    private static void compile(Path source, Path folder) {
        StringWriter errors = new StringWriter();
        List<String> options = List.of("-proc:none", "-nowarn", "-d", folder.toString(), "-cp", CLASS_PATH);
        if (!COMPILER.getTask(errors, FILES, null, options, null, FILES.getJavaFileObjects(source))
                .call()) {
            throw new AssertionError(source.getFileName() + " does not compile: " + errors);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (ANEW.stream().noneMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }
}
