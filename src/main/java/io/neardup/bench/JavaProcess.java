package io.neardup.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM with the class path of this one, spoken to in lines through its standard input and output. It has to end
 * when its input ends, so that it never outlives this process, however this one ends.
 */
public final class JavaProcess implements AutoCloseable {
    private static final long END_SECONDS = 40;
    private static final int LOG_LINES = 5;
    /** Exit codes of a JVM that a signal has ended: 128 and its number. */
    private static final int INTERRUPTED = 128 + 2;

    private static final int KILLED = 128 + 9;
    private static final int TERMINATED = 128 + 15;

    /** RocksDB and the codecs are native. */
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    /** How Kafka gives mapped files back. Newer JDKs warn of it, older ones do not know the option. */
    private static final String UNSAFE_MEMORY_ACCESS = "--sun-misc-unsafe-memory-access=allow";

    private static final int UNSAFE_WARNED_OF_SINCE = 24;

    private final String name;
    private final Path log;
    private final Process process;
    private final BufferedReader output;
    private final PrintWriter input;
    private volatile boolean endExpected;

    /**
     * Starts it.
     *
     * @param name for messages and files
     * @param folder for its temporary files and for what it prints to standard error
     * @param arguments the main class and what it takes
     */
    public JavaProcess(String name, Path folder, List<String> jvmOptions, List<String> arguments) throws IOException {
        this.name = name;
        this.log = folder.resolve(name + ".log");
        List<String> options = new ArrayList<>(jvmOptions);
        options.add("-Djava.io.tmpdir=" + folder);
        process = new ProcessBuilder(command(options, arguments))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        output = process.inputReader(UTF_8);
        input = new PrintWriter(process.outputWriter(UTF_8), true);
    }

    /** The command line of a JVM like this one. */
    public static List<String> command(List<String> jvmOptions, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(NATIVE_ACCESS);
        if (Runtime.version().feature() >= UNSAFE_WARNED_OF_SINCE) {
            command.add(UNSAFE_MEMORY_ACCESS);
        }
        command.addAll(jvmOptions);
        command.add("-cp");
        command.add(classPath());
        command.addAll(arguments);
        return command;
    }

    /** Tests see their own class path under another name. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    public void writeLine(String line) {
        input.println(line);
    }

    /**
     * Waits for a line.
     *
     * @throws BenchException if the process ends instead
     */
    public String readLine() {
        try {
            String line = output.readLine();
            if (line != null) {
                return line;
            }
        } catch (IOException e) {
            throw new BenchException("the " + name + " process cannot be read: " + e.getMessage(), e);
        }
        throw new BenchException("the " + name + " process says no more");
    }

    /** Processor time of all its threads since its start, compilers and garbage collector included. */
    public long cpuNanos() {
        return process.info()
                .totalCpuDuration()
                .orElseThrow(() -> new BenchException("the " + name + " process has no processor time any more"))
                .toNanos();
    }

    /** Has something done if it ends before {@link #close} or {@link #kill}. */
    void onEarlyEnd(Runnable action) {
        CompletableFuture<Void> unused = process.onExit().thenAccept(ended -> {
            if (!endExpected) {
                action.run();
            }
        });
    }

    /** Whether it ended as Ctrl-C and {@code kill} end a process; it must have ended. */
    boolean wasToldToEnd() {
        return process.exitValue() == INTERRUPTED || process.exitValue() == TERMINATED;
    }

    /** How it ended. What it printed is kept then, in a file that stays. */
    BenchException endedEarly() {
        int code = process.exitValue();
        String why = code == KILLED
                ? " (killed from outside, mostly for lack of memory: give bench a lower --heap-percent)"
                : "";
        return new BenchException("the " + name + " process ended before its time, with exit code " + code + why
                + "; it printed " + lastWords());
    }

    private String lastWords() {
        try {
            Path kept = Files.createTempFile("neardup-" + name + "-", ".log");
            Files.copy(log, kept, StandardCopyOption.REPLACE_EXISTING);
            List<String> lines = Files.readAllLines(kept);
            List<String> last = lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size());
            return (last.isEmpty() ? "nothing" : String.join(System.lineSeparator(), last)) + ", see " + kept;
        } catch (IOException e) {
            return "nothing that could be read (" + e + ")";
        }
    }

    /** Returns when the system has ended it; it can do nothing about that. */
    public void kill() {
        endExpected = true;
        process.destroyForcibly();
        close();
    }

    /** Ends its input, waits until it has ended, and kills it if it does not. */
    @Override
    public void close() {
        endExpected = true;
        input.close();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
