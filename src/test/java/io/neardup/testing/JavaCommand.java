package io.neardup.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines of a JVM like this one, with its class path; and whether a command of the system goes well. */
public final class JavaCommand {
    /** RocksDB and the codecs are native. */
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    /** How Kafka gives mapped files back. Newer JDKs warn of it, older ones do not know the option. */
    private static final String UNSAFE_MEMORY_ACCESS = "--sun-misc-unsafe-memory-access=allow";

    private static final int UNSAFE_WARNED_OF_SINCE = 24;

    private JavaCommand() {}

    /**
     * The words of a command line.
     *
     * @param arguments the main class and what it takes
     */
    public static List<String> of(List<String> jvmOptions, List<String> arguments) {
        return of(jvmOptions, classPath(), arguments);
    }

    /** The same with another class path. */
    public static List<String> of(List<String> jvmOptions, String classPath, List<String> arguments) {
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

    /** Whether a command of the system is there, and goes well. */
    public static boolean succeeds(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Tests see their own class path under another name. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
