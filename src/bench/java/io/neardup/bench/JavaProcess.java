package io.neardup.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.testing.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM with the class path of this one, spoken to in lines through its standard input and output. It has to end
 * when its input ends, so that it never outlives this process, however this one ends.
 */
final class JavaProcess implements AutoCloseable {
    private static final long END_SECONDS = 40;
    private static final int LOG_LINES = 5;
    /** Exit codes of a JVM that a signal has ended: 128 and its number. */
    private static final int INTERRUPTED = 128 + 2;

    private static final int TERMINATED = 128 + 15;

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
     * @param environment goes over that of this process
     * @param arguments the main class and what it takes
     */
    JavaProcess(
            String name, Path folder, List<String> jvmOptions, Map<String, String> environment, List<String> arguments)
            throws IOException {
        this.name = name;
        this.log = folder.resolve(name + ".log");
        List<String> options = new ArrayList<>(jvmOptions);
        options.add("-Djava.io.tmpdir=" + folder);
        ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(options, arguments))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        process = builder.start();
        output = process.inputReader(UTF_8);
        input = new PrintWriter(process.outputWriter(UTF_8), true);
    }

    void writeLine(String line) {
        input.println(line);
    }

    /**
     * Waits for a line.
     *
     * @throws BenchException if the process ends instead
     */
    String readLine() {
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
    long cpuNanos() {
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

    /** How it ended; it must have. What it printed is kept then, in a file that stays. */
    BenchException endedEarly() {
        int code = process.exitValue();
        if (code == INTERRUPTED || code == TERMINATED) { // as by Ctrl-C, which reaches all processes of a terminal
            return new BenchException("stopped before the end");
        }
        return new BenchException("the " + name + " process ended before its time, with exit code " + code
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
    void kill() {
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
