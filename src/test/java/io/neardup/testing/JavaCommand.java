package io.neardup.testing;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Command lines of a JVM like this one, with its class path. */
public final class JavaCommand {
    /** RocksDB and the codecs are native. */
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    /** How Kafka gives mapped files back. Newer JDKs warn of it, older ones do not know the option. */
    private static final String UNSAFE_MEMORY_ACCESS = "--sun-misc-unsafe-memory-access=allow";

    private static final int UNSAFE_WARNED_OF_SINCE = 24;

    /** The jars that come with a broker alone. */
    private static final Pattern OF_BROKER =
            Pattern.compile("(argparse4j|caffeine|commons|jackson-data(format-yaml|type-jdk8)|jopt-simple"
                    + "|kafka-(((group|share|transaction)-)?coordinator|metadata|raft|server|storage|tools-api)"
                    + "|kafka_2\\.13|log4j|metrics-core|pcollections|re2j|scala|snakeyaml)-.*\\.jar");

    private JavaCommand() {}

    /**
     * The words of a command line.
     *
     * @param arguments the main class and what it takes
     */
    public static List<String> of(List<String> jvmOptions, List<String> arguments) {
        return of(classPath(), jvmOptions, arguments);
    }

    /** Of the service as an application has it that names it as a library: the jars of a broker do not come along. */
    static List<String> withoutBroker(List<String> jvmOptions, List<String> arguments) {
        String classPath = Stream.of(classPath().split(File.pathSeparator, -1))
                .filter(entry -> !OF_BROKER
                        .matcher(Path.of(entry).getFileName().toString())
                        .matches())
                .collect(Collectors.joining(File.pathSeparator));
        return of(classPath, jvmOptions, arguments);
    }

    private static List<String> of(String classPath, List<String> jvmOptions, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(NATIVE_ACCESS);
        if (Runtime.version().feature() >= UNSAFE_WARNED_OF_SINCE) {
            command.add(UNSAFE_MEMORY_ACCESS);
        }
        command.addAll(jvmOptions);
        command.add("-cp");
        command.add(classPath);
        command.addAll(arguments);
        return command;
    }

    /** Tests see their own class path under another name. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
