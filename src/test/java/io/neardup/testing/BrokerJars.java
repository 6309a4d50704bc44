package io.neardup.testing;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kafka.tools.StorageTool;
import org.jspecify.annotations.Nullable;

/** The program that a {@link BrokerProcess} runs: the broker that comes with the service, or one of another version. */
public final class BrokerJars {
    private final @Nullable Path folder;

    private BrokerJars(@Nullable Path folder) {
        this.folder = folder;
    }

    /** The broker that is on the class path. */
    public static BrokerJars own() {
        return new BrokerJars(null);
    }

    /**
     * A broker of any version.
     *
     * @param folder with the jars of a broker, all that it needs, and no others
     */
    public static BrokerJars in(Path folder) {
        return new BrokerJars(folder);
    }

    /** The command line of a broker. */
    List<String> command(Path settings) {
        List<String> options = new ArrayList<>(InstanceProcess.OPTIONS);
        if (folder == null) {
            options.add("-Dneardup.log.kafka=INFO");
        }
        String classPath = folder == null ? JavaCommand.classPath() : all(folder);
        return JavaCommand.of(options, classPath, List.of("kafka.Kafka", settings.toString()));
    }

    private static String all(Path folder) {
        return folder + File.separator + "*";
    }

    /** Prepares the folder that the settings name. */
    void format(String clusterId, Path settings) throws IOException {
        String[] arguments = {"format", "--cluster-id", clusterId, "--config", settings.toString()};
        String failure = folder == null ? formatHere(arguments) : formatBeside(folder, arguments, settings);
        if (!failure.isEmpty()) {
            throw new IOException("cannot format by " + settings + ": " + failure);
        }
    }

    private static String formatHere(String... arguments) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        int exit = StorageTool.execute(arguments, new PrintStream(printed, true, StandardCharsets.UTF_8));
        return exit == 0 ? "" : printed.toString(StandardCharsets.UTF_8);
    }

    private static String formatBeside(Path folder, String[] arguments, Path settings) throws IOException {
        List<String> command = new ArrayList<>(List.of("kafka.tools.StorageTool"));
        command.addAll(List.of(arguments));
        Path printed = settings.resolveSibling("format.log");
        try {
            int exit = new ProcessBuilder(JavaCommand.of(List.of("-Xmx256m"), all(folder), command))
                    .redirectErrorStream(true)
                    .redirectOutput(printed.toFile())
                    .start()
                    .waitFor();
            return exit == 0 ? "" : Files.readString(printed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
