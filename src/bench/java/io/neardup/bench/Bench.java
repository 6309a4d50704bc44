package io.neardup.bench;

import io.neardup.bench.BenchReports.Comparison;
import io.neardup.bench.BenchReports.Growth;
import io.neardup.bench.BenchReports.Spread;
import io.neardup.tools.local.Resources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Benchmarks on a broker of their own: everything runs in processes that end with this one, in a temporary folder that
 * is deleted.
 *
 * <p>One instance is for one call. {@link #close} may be called by another thread at any time, also by a shutdown hook.
 */
public final class Bench implements AutoCloseable {
    private static final long SHUTDOWN_SECONDS = 1;

    private final Options options;
    private final BenchDocuments documents;
    private final Progress progress;
    private final RateChart rates = new RateChart();
    private final Resources resources = new Resources();

    /**
     * What a benchmark does.
     *
     * @param documents to drain in a round, at least 1,000
     * @param partitions of the input topic and of the outputs, at least 1
     * @param rounds at least 1
     * @param warmUpSeconds for which each side runs before the first round at the most
     * @param latencySeconds for which documents are sent at each rate; 0 to leave latencies out
     * @param heapPercent of the machine's memory for the heap of each measured process, from 1 to 45
     * @param mainClass with the commands {@code broker} and {@code worker}
     * @param settingsArguments of the command line, handed on to the measured processes
     */
    public record Options(
            int documents,
            int partitions,
            int rounds,
            int warmUpSeconds,
            int latencySeconds,
            int heapPercent,
            String mainClass,
            List<String> settingsArguments) {
        public static final int DOCUMENTS_MIN = 1_000;

        public Options {
            settingsArguments = List.copyOf(settingsArguments);
            if (documents < DOCUMENTS_MIN || partitions < 1 || rounds < 1 || warmUpSeconds < 0 || latencySeconds < 0) {
                throw new IllegalArgumentException("expected documents of at least " + DOCUMENTS_MIN
                        + ", partitions and rounds of at least 1,"
                        + " no negative seconds, found documents=" + documents + " partitions=" + partitions
                        + " rounds="
                        + rounds + " warmUpSeconds=" + warmUpSeconds + " latencySeconds=" + latencySeconds);
            }
        }
    }

    /** Learns what a benchmark is doing. */
    public interface Progress {
        /** Something new has begun. */
        void phase(String what);

        /** How far it is; called several times a second. */
        void update(String text);
    }

    public Bench(Options options, BenchDocuments documents, Progress progress) {
        this.options = options;
        this.documents = documents;
        this.progress = progress;
    }

    /** A benchmark on a session. */
    private interface Body<R> {
        R run(BenchSession session) throws IOException, InterruptedException;
    }

    /** The service against a passthrough. */
    public Comparison compare() throws IOException, InterruptedException {
        return run(session -> new ComparisonRun(session, rates).run());
    }

    /**
     * The service as its index grows.
     *
     * @param sizes unique documents, rising, at least one
     */
    public Growth grow(List<Long> sizes) throws IOException, InterruptedException {
        return run(session -> new GrowthRun(session, rates).run(sizes));
    }

    /** The service with more and fewer partitions. */
    public Spread spread() throws IOException, InterruptedException {
        return run(session -> new SpreadRun(session, rates).run());
    }

    /** The benchmark may be waiting for what a process that has ended will never say: so it has a thread of its own. */
    private <R> R run(Body<R> body) throws IOException, InterruptedException {
        JavaProcess.Group processes = new JavaProcess.Group();
        CompletableFuture<R> outcome = new CompletableFuture<>();
        CompletableFuture<Void> unused = processes
                .endedEarly()
                .thenAccept(process -> outcome.completeExceptionally(new BenchException("a process has ended")));
        Thread thread = new Thread(() -> run(body, processes, outcome), "neardup-bench");
        thread.setDaemon(true);
        thread.start();
        try {
            return outcome.get();
        } catch (ExecutionException e) {
            throw failure(Objects.requireNonNullElse(e.getCause(), e), processes);
        } finally {
            thread.interrupt();
            close();
        }
    }

    private <R> void run(Body<R> body, JavaProcess.Group processes, CompletableFuture<R> outcome) {
        try {
            outcome.complete(body.run(new BenchSession(options, documents, progress, resources, processes)));
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            outcome.completeExceptionally(e);
        }
    }

    private RuntimeException failure(Throwable failure, JavaProcess.Group processes)
            throws IOException, InterruptedException {
        Optional<JavaProcess> ended = processes.causeOfFailure();
        if (ended.isPresent() && ended.get().wasTerminated()) {
            // As by Ctrl-C, which reaches all processes of a terminal: the shutdown of this one is about to begin.
            TimeUnit.SECONDS.sleep(SHUTDOWN_SECONDS);
        }
        // What fails because it was closed under the benchmark says nothing of its own.
        if (resources.isClosed()) {
            throw new BenchException("stopped before the end", failure);
        }
        Throwable cause = ended.isPresent() ? ended.get().endedEarly() : failure;
        processes.kill();
        if (cause instanceof IOException e) {
            throw e;
        }
        if (cause instanceof InterruptedException e) {
            throw e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        return cause instanceof RuntimeException e ? e : new IllegalStateException(cause);
    }

    /** Draws the rates over time of what was run, as PNG. */
    public void draw(Path file) throws IOException {
        rates.write(file);
    }

    /** Ends all processes and deletes the folder. Returns when that is done. */
    @Override
    public void close() {
        resources.close();
    }
}
