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
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Another JVM with the class path of this one, spoken to in lines through its standard input and output. It has to end
 * when its input ends, so that it never outlives this process, however this one ends.
 */
final class JavaProcess implements AutoCloseable {
    private static final long END_SECONDS = 40;
    private static final int LOG_LINES = 5;
    /** Exit codes of a JVM that a signal has ended: 128 and its number. */
    private static final int INTERRUPTED = 128 + 2;

    private static final int KILLED = 128 + 9;
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
     * @param arguments the main class and what it takes
     */
    JavaProcess(String name, Path folder, List<String> jvmOptions, List<String> arguments) throws IOException {
        this.name = name;
        this.log = folder.resolve(name + ".log");
        List<String> options = new ArrayList<>(jvmOptions);
        options.add("-Djava.io.tmpdir=" + folder);
        process = new ProcessBuilder(JavaCommand.of(options, arguments))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
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

    /** Whether it ended as Ctrl-C and {@code kill} end a process; it must have ended. */
    boolean wasTerminated() {
        return process.exitValue() == INTERRUPTED || process.exitValue() == TERMINATED;
    }

    /** How it ended. What it printed is kept then, in a file that stays. */
    BenchException endedEarly() {
        int code = process.exitValue();
        String why = code == KILLED
                ? " (killed from outside, mostly for lack of memory: give service a lower --heap-percent)"
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

    /** The processes of a benchmark: without one of them the others are of no use. Thread-safe. */
    static final class Group {
        /** A failure may be seen before the end of the process that caused it. */
        private static final long END_SEEN_SECONDS = 1;

        private final Queue<JavaProcess> members = new ConcurrentLinkedQueue<>();
        private final CompletableFuture<JavaProcess> endedEarly = new CompletableFuture<>();

        /** Starts a member; the parameters are those of a {@link JavaProcess}. */
        JavaProcess start(String name, Path folder, List<String> jvmOptions, List<String> arguments)
                throws IOException {
            JavaProcess process = new JavaProcess(name, folder, jvmOptions, arguments);
            members.add(process);
            process.onEarlyEnd(() -> endedEarly.complete(process));
            return process;
        }

        /** Done when a member has ended that nobody had asked to. */
        CompletableFuture<JavaProcess> endedEarly() {
            return endedEarly.copy();
        }

        /** The member whose end a failure comes from, if one has ended. */
        Optional<JavaProcess> causeOfFailure() throws InterruptedException {
            try {
                return Optional.of(endedEarly.get(END_SEEN_SECONDS, TimeUnit.SECONDS));
            } catch (TimeoutException | ExecutionException e) {
                return Optional.empty();
            }
        }

        /** Ends all members at once. */
        void kill() {
            members.forEach(JavaProcess::kill);
        }
    }
}
