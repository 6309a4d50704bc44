package io.neardup.tools.local;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.http.HttpEndpoints;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.SkippedTotals;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The whole service on a real broker inside this process: publishes a feed, collects what comes out, and ends when
 * every line has come out, or later. Broker and state live in a temporary folder that is deleted at the end.
 *
 * <p>One run is for one call of {@link #run}. {@link #close} may be called by another thread at any time, also by a
 * shutdown hook.
 */
public final class LocalRun implements AutoCloseable {
    private static final String ORIGIN = "local";
    public static final String APPLICATION_ID = "neardup-local";
    static final String SEED_TOPIC = "seed";
    private static final String SAMPLE_FEED = "sample-feed";
    private static final int LINE_BYTES_MAX = 16 << 20;
    /** For the key, the headers and the batch around a line. */
    private static final int RECORD_OVERHEAD_BYTES = 1 << 20;

    private static final long PROGRESS_MILLIS = 200;
    private static final long READY_POLL_MILLIS = 20;

    private final LocalOptions options;
    private final LocalProgress progress;
    private final Resources resources = new Resources();
    private final CompletableFuture<Void> outcome = new CompletableFuture<>();
    private CompletableFuture<Void> serviceEnded = new CompletableFuture<>();
    private String servers = "";

    public LocalRun(LocalOptions options, LocalProgress progress) {
        this.options = options;
        this.progress = progress;
    }

    /**
     * Runs to the end of the feed.
     *
     * @throws io.neardup.config.ConfigurationException if the settings cannot be used; nothing was done then
     * @throws IOException if a file cannot be read or written
     * @throws LocalRunException if the service or its broker fail
     */
    public LocalSummary run() throws IOException, InterruptedException {
        try {
            return runAndGoOn();
        } finally {
            close();
        }
    }

    /**
     * As {@link #run}, but broker and service go on after the feed, until {@link #close}. Also where it fails, that is
     * left to the caller.
     */
    public LocalSummary runAndGoOn() throws IOException, InterruptedException {
        NeardupConfig checked =
                NeardupConfig.of(options.settings()).requireRecords("the run ends when all of them have come out");
        InputFiles.check(options.files(), options.out(), Feeds.kind(checked));
        InputFiles.check(options.seeds(), options.out(), Feeds.kind(checked));
        try {
            return run(checked);
        } catch (IOException | RuntimeException e) {
            // What fails because it was closed under the run says nothing of its own.
            if (resources.isClosed()) {
                throw new LocalRunException(stopped(), e);
            }
            throw e;
        }
    }

    /** Where the broker is while it runs, for clients. */
    public String bootstrapServers() {
        return servers;
    }

    /**
     * Waits until the service ends, after {@link #runAndGoOn}: because it was closed, or failed.
     *
     * @throws LocalRunException if the service failed
     */
    public void awaitEnd() throws IOException, InterruptedException {
        try {
            serviceEnded.get();
        } catch (ExecutionException e) {
            throw failure(e.getCause() == null ? e : e.getCause());
        }
    }

    /** Stops what runs, and deletes the temporary folder. Returns when that is done. */
    @Override
    public void close() {
        resources.close();
    }

    private LocalSummary run(NeardupConfig checked) throws IOException, InterruptedException {
        long startNanos = System.nanoTime();
        HttpEndpoints http = resources.open(() -> HttpEndpoints.open(checked));
        TemporaryFolder folder = resources.open(() ->
                new TemporaryFolder("neardup-local-" + ProcessHandle.current().pid() + "-"));
        LocalResults results = resources.open(() -> results(checked));
        progress.phase("starting a broker");
        EmbeddedBroker broker = resources.open(() -> startBroker(folder.path().resolve("broker")));
        NeardupConfig config = config(broker, folder.path());
        servers = broker.bootstrapServers();
        LocalTopics.create(servers, config, options.partitions(), lineBytesMax(config) + RECORD_OVERHEAD_BYTES);
        Optional<Seeds> seeds = sendSeeds(config, results);
        progress.phase("starting the service");
        DedupService service = startService(config, http);
        if (seeds.isPresent()) {
            awaitSeeded(service, seeds.get().records);
            results.seeded(seeds.get().records, service.deadLetters(), seeds.get().skipped);
        }
        Duration start = Duration.ofNanos(System.nanoTime() - startNanos);
        Duration cpuBefore = cpu();
        resources.open(() -> new ResultCollector(config, options.partitions(), results, outcome, servers));
        FeedPublisher publisher =
                resources.open(() -> publisher(config, config.inputTopics().get(0), false));
        Feed feed = feed(config, lineBytesMax(config)).reportingSkipped(results::skipped);
        // Reading the standard input cannot be interrupted; a daemon does not keep the process alive.
        Thread thread = new Thread(() -> publish(feed, publisher, results), "neardup-feed");
        thread.setDaemon(true);
        thread.start();
        await(results);
        LocalSummary.Cost cost = cost(cpu().minus(cpuBefore), service.counts());
        results.complete();
        return results.summary(start, cost);
    }

    /** Processor time of this process so far; none where the system does not tell. */
    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static LocalSummary.Cost cost(Duration cpu, ServiceCounts counts) {
        return new LocalSummary.Cost(
                cpu.toNanos() / 1e9,
                counts.values(ServiceMetric.INDEX_DOCUMENTS).max().orElse(0),
                counts.values(ServiceMetric.INDEX_BYTES).sum()
                        + counts.values(ServiceMetric.SKETCH_BYTES).sum());
    }

    private String stopped() {
        return "stopped before the end of the feed"
                + options.out()
                        .filter(ResultFiles::hasPartial)
                        .map(out ->
                                "; what had come out is in " + out + ", in files that end in " + ResultFiles.PARTIAL)
                        .orElse("");
    }

    private LocalResults results(NeardupConfig config) throws IOException {
        Optional<Path> out = options.out();
        Optional<ResultFiles> files = out.isPresent()
                ? Optional.of(ResultFiles.create(out.get(), config.writesVerdicts()))
                : Optional.empty();
        return new LocalResults(
                files,
                new DuplicateExamples(
                        config.threshold(), config.documentReaders().get()),
                config.writesVerdicts(),
                System::nanoTime);
    }

    private static EmbeddedBroker startBroker(Path folder) throws IOException {
        try {
            return EmbeddedBroker.start(folder);
        } catch (LinkageError e) {
            // Its classes register shutdown hooks when they are loaded: too late after Ctrl-C.
            throw new LocalRunException("the broker could not be started: " + e.getCause(), e);
        }
    }

    private NeardupConfig config(EmbeddedBroker broker, Path folder) {
        Settings settings = options.settings()
                .set("application.id", APPLICATION_ID, ORIGIN)
                .set("bootstrap.servers", broker.bootstrapServers(), ORIGIN)
                .set("state.dir", folder.resolve("state").toString(), ORIGIN)
                .set("replication.factor", "1", ORIGIN);
        if (!options.seeds().isEmpty()) {
            settings.set("neardup.seed.topics", SEED_TOPIC, ORIGIN);
        }
        return NeardupConfig.forCluster(settings);
    }

    private FeedPublisher publisher(NeardupConfig config, String topic, boolean isSeed) {
        return new FeedPublisher(
                servers,
                new FeedPublisher.Target(
                        topic,
                        isSeed,
                        options.partitions(),
                        config.documentBytesMax(),
                        lineBytesMax(config) + RECORD_OVERHEAD_BYTES));
    }

    private static int lineBytesMax(NeardupConfig config) {
        return Math.max(LINE_BYTES_MAX, config.documentBytesMax());
    }

    private void publish(Feed feed, FeedPublisher publisher, LocalResults results) {
        try (feed) {
            publisher.send(feed, results, outcome::completeExceptionally);
            results.feedEnded(feed.skippedTotals());
        } catch (UncheckedIOException e) {
            outcome.completeExceptionally(e.getCause());
        } catch (IOException | RuntimeException | Error e) {
            // Whatever it is: else nobody would ever tell the one that waits.
            outcome.completeExceptionally(e);
        }
    }

    /** What was sent of seeds, and what of their files was no record. */
    private record Seeds(long records, SkippedTotals skipped) {}

    private Optional<Seeds> sendSeeds(NeardupConfig config, LocalResults results) throws IOException {
        if (options.seeds().isEmpty()) {
            return Optional.empty();
        }
        progress.phase("sending the seeds");
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        try (Feed feed = Feeds.of(options.seeds(), options.standardInput(), config, lineBytesMax(config))
                        .reportingSkipped(results::skipped);
                FeedPublisher publisher = resources.open(() -> publisher(config, SEED_TOPIC, true))) {
            long sent = publisher.send(feed, results, failed -> failure.compareAndSet(null, failed));
            if (failure.get() != null) {
                throw new LocalRunException("the seeds could not be sent: " + failure.get(), failure.get());
            }
            return Optional.of(new Seeds(sent, feed.skippedTotals()));
        }
    }

    private void awaitSeeded(DedupService service, long seeds) throws IOException, InterruptedException {
        progress.phase(String.format(Locale.ROOT, "reading %,d documents of seeds", seeds));
        boolean over = false;
        while (!service.status().seeding().isDone() && !over) {
            over = isOver(READY_POLL_MILLIS);
        }
    }

    /** Returns when the service takes documents. */
    private DedupService startService(NeardupConfig config, HttpEndpoints http)
            throws IOException, InterruptedException {
        DedupService service = resources.open(() -> DedupService.start(config));
        http.serve(service);
        serviceEnded = service.ended();
        CompletableFuture<Void> unused = serviceEnded.whenComplete((nothing, failure) ->
                outcome.completeExceptionally(failure == null ? new Resources.ClosedException() : failure));
        boolean over = false;
        while (!service.isRunning() && !over) {
            over = isOver(READY_POLL_MILLIS);
        }
        return service;
    }

    private Feed feed(NeardupConfig config, int lineBytesMax) {
        if (!options.files().isEmpty()) {
            return Feeds.of(options.files(), options.standardInput(), config, lineBytesMax);
        }
        InputStream sample = Objects.requireNonNull(LocalRun.class.getResourceAsStream(SAMPLE_FEED + ".jsonl"));
        return Feed.ofStream(SAMPLE_FEED, sample, lineBytesMax);
    }

    private void await(LocalResults results) throws IOException, InterruptedException {
        do {
            progress.update(results.snapshot());
        } while (!isOver(PROGRESS_MILLIS));
        progress.update(results.snapshot());
    }

    /** Whether the run has come to its end, waiting for it for a while. */
    private boolean isOver(long waitMillis) throws IOException, InterruptedException {
        try {
            outcome.get(waitMillis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw failure(e.getCause() == null ? e : e.getCause());
        }
    }

    private static LocalRunException failure(Throwable cause) throws IOException {
        if (cause instanceof IOException e) {
            throw e;
        }
        return new LocalRunException("the service failed: " + cause, cause);
    }
}
