package io.neardup.tools.local;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.ClusterAdmin.FoundTopic;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.http.HttpEndpoints;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.feed.BulkProducer;
import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.FeedRecord;
import io.neardup.tools.feed.Progress;
import io.neardup.tools.feed.TopicReading;
import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The whole service on a real broker inside this process: publishes a feed, collects what comes out, and ends when
 * every line has come out, or later. Broker and state live in a temporary folder that is deleted at the end, or in one
 * that a later run goes on with.
 *
 * <p>One run is for one call of {@link #run}. {@link #close} may be called by another thread at any time, also by a
 * shutdown hook.
 */
public final class LocalRun implements AutoCloseable {
    private static final String ORIGIN = "local";
    private static final String LAYOUT = "layout 1";
    private static final Duration STORIES_EVERY = Duration.ofSeconds(1);
    public static final String APPLICATION_ID = "neardup-local";
    static final String SEED_TOPIC = "seed";
    private static final String SAMPLE_FEED = "sample-feed";
    private static final int LINE_BYTES_MAX = 16 << 20;
    /** The key, the headers and the batch around a line are in it. */
    static final int RECORD_BYTES_MAX = LINE_BYTES_MAX + (1 << 20);

    private static final Duration POLL = Duration.ofMillis(100);
    private static final long PROGRESS_NANOS = 200_000_000;
    private static final long READY_POLL_MILLIS = 20;

    private final Options options;
    private final Progress progress;
    private final Resources resources = new Resources();
    /** What goes wrong elsewhere. */
    private final CompletableFuture<Void> failed = new CompletableFuture<>();

    /** Empty where another has the input for good. */
    private Optional<DedupService> service = Optional.empty();

    private Optional<HttpEndpoints> http = Optional.empty();
    /** The application.id that has the input for good, if one has. */
    private Optional<String> successor = Optional.empty();

    private String servers = "";

    public LocalRun(Options options, Progress progress) {
        this.options = options;
        this.progress = progress;
    }

    /**
     * Runs to the end of the feed. Broker and service go on, until {@link #close}; that is left to the caller, also
     * where it fails.
     *
     * @throws io.neardup.config.ConfigurationException if the settings cannot be used; nothing was done then
     * @throws IOException also if the service or its broker fail
     */
    public LocalSummary run() throws IOException, InterruptedException {
        NeardupConfig checked =
                NeardupConfig.of(options.settings()).requireRecords("the run ends when all of them have come out");
        List<String> inputs = Stream.of(options.files(), options.seeds())
                .flatMap(List::stream)
                .toList();
        Feed.check(inputs, Feed.Kind.of(checked));
        if (options.out().isPresent()) {
            ResultFiles.prepare(options.out().get(), inputs);
        }
        try {
            return run(checked);
        } catch (IOException | RuntimeException e) {
            // What fails because it was closed under the run says nothing of its own.
            if (resources.isClosed()) {
                throw new IOException("stopped before the end of the feed", e);
            }
            throw e;
        }
    }

    public String bootstrapServers() {
        return servers;
    }

    /** The ports that the service answers at over HTTP while it runs, as {@link HttpEndpoints#ports}. */
    public List<Integer> httpPorts() {
        return http.map(HttpEndpoints::ports).orElse(List.of());
    }

    /**
     * Waits until the service ends, after {@link #run}: because it was closed, or failed, or has handed its input over,
     * now or earlier. Then the broker goes on.
     *
     * @return the application.id that has the input for good, if one has
     * @throws IOException if the service failed
     */
    public Optional<String> awaitEnd() throws IOException, InterruptedException {
        if (service.isPresent()) {
            try {
                service.get().ended().get();
            } catch (ExecutionException e) {
                throw failure(e);
            }
            successor = successor(service.get().status().handingOver());
        }
        if (successor.isPresent()) {
            service.ifPresent(DedupService::close);
            http.ifPresent(HttpEndpoints::close);
        }
        return successor;
    }

    private static Optional<String> successor(Cutover cutover) {
        return cutover.stage() == CutoverStage.EMPTY ? cutover.successor() : Optional.empty();
    }

    /** Stops what runs, and deletes the temporary folder. Returns when that is done. */
    @Override
    public void close() {
        resources.close();
    }

    private LocalSummary run(NeardupConfig checked) throws IOException, InterruptedException {
        long startNanos = System.nanoTime();
        Path folder;
        if (options.data().isPresent()) {
            folder = options.data().get();
            claim(folder);
        } else {
            String prefix = "neardup-local-" + ProcessHandle.current().pid() + "-";
            folder = resources.open(() -> new TemporaryFolder(prefix)).path();
        }
        HttpEndpoints endpoints = resources.open(() -> HttpEndpoints.open(checked));
        http = Optional.of(endpoints);
        progress.phase("starting a broker");
        EmbeddedBroker broker = resources.open(() -> startBroker(folder.resolve("broker")));
        servers = broker.bootstrapServers();
        try (ClusterView cluster = new ClusterView(config(folder, false))) {
            ExistingTopics found = topics(cluster.admin(), cluster.config());
            NeardupConfig config = config(folder, found.hasSeeds);
            boolean sends = options.data().isEmpty() || !options.files().isEmpty();
            successor = found.isContinued ? successor(cluster.cutover()) : Optional.empty();
            if (successor.isPresent()) {
                return ofBrokerAlone(cluster.config(), sends);
            }
            // Where nothing is sent, earlier results stay.
            LocalResults results =
                    resources.open(() -> new LocalResults(config, sends ? options.out() : Optional.empty()));
            sendSeeds(config, found, results);
            progress.phase("starting the service");
            DedupService started = startService(config, endpoints, found);
            if (!options.seeds().isEmpty()) {
                progress.phase("reading the seeds");
                while (!started.status().seeding().isDone()) {
                    throwIfFailed(READY_POLL_MILLIS);
                }
                results.seedsRead(started.counts().sum(ServiceMetric.DOCUMENTS, "dead-letter"));
            }
            Duration start = Duration.ofNanos(System.nanoTime() - startNanos);
            Duration cpuBefore = cpu();
            if (sends) {
                try (KafkaConsumer<byte[], byte[]> outputs = outputs(config, found, cluster, results)) {
                    publish(config, found, results);
                    collect(outputs, results);
                    if (config.writesVerdicts()) {
                        collectVerdicts(
                                outputs,
                                cluster.admin().ends(partitions(List.of(config.verdictsTopic()), found.partitions)),
                                results);
                    }
                }
            }
            LocalSummary.Cost cost = cost(cpu().minus(cpuBefore), started.counts());
            results.complete();
            return results.summary(start, cost);
        }
    }

    /** For the successor, of a folder whose index has no input any more. */
    private LocalSummary ofBrokerAlone(NeardupConfig config, boolean sends) throws IOException {
        if (sends) {
            throw unfit("an index that still has its input, found that it handed it over to application.id "
                    + successor.orElse("") + ": start without files, and the broker runs for that one");
        }
        http.ifPresent(HttpEndpoints::close);
        http = Optional.empty();
        return new LocalResults(config, Optional.empty()).summary(Duration.ZERO, new LocalSummary.Cost(0, 0, 0));
    }

    /**
     * Makes the folder if it is missing, for the broker's log and the service's state that later starts go on with. A
     * file in it says so: its first line is the layout.
     *
     * @throws UnusableFileException if it is another's
     */
    static void claim(Path folder) throws IOException {
        ResultFiles.prepare(folder);
        Path mark = folder.resolve("neardup-local");
        if (Files.exists(mark)) {
            String layout = Files.readString(mark).lines().findFirst().orElse("");
            if (!layout.equals(LAYOUT)) {
                throw new UnusableFileException(folder + ": expected " + LAYOUT + ", found " + layout
                        + ": start the release that made it, or take another folder");
            }
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            if (files.findAny().isPresent()) {
                throw new UnusableFileException(
                        folder + ": expected an empty folder, or one of local --serve --data, found other files in it:"
                                + " take another folder");
            }
        }
        Files.writeString(mark, LAYOUT + "\n");
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

    private EmbeddedBroker startBroker(Path folder) throws IOException {
        try {
            return EmbeddedBroker.start(folder, options.port(), options.data().isPresent());
        } catch (LinkageError e) {
            // Its classes register shutdown hooks when they are loaded: too late after Ctrl-C.
            throw new IOException("the broker could not be started: " + e.getCause(), e);
        }
    }

    private NeardupConfig config(Path folder, boolean hasSeeds) {
        Settings settings = options.settings()
                .set("application.id", APPLICATION_ID, ORIGIN)
                .set("bootstrap.servers", servers, ORIGIN)
                .set("state.dir", folder.resolve("state").toString(), ORIGIN)
                .set("replication.factor", "1", ORIGIN);
        // Whatever is given: nobody is to wait for the last revisions at the end.
        settings.set("neardup.stories.every", STORIES_EVERY.toSeconds() + "s", ORIGIN);
        if (hasSeeds) {
            settings.set("neardup.seed.topics", SEED_TOPIC, ORIGIN);
        }
        return NeardupConfig.forCluster(settings);
    }

    // ---- topics

    /**
     * @param partitions of the input and of each output
     * @param isContinued whether an earlier start has made them
     */
    private record ExistingTopics(int partitions, boolean isContinued, boolean hasSeeds) {}

    /** Makes those that are missing of what a user would make, input and outputs, wide enough for every line. */
    private ExistingTopics topics(ClusterAdmin admin, NeardupConfig config) throws IOException {
        String input = config.inputTopics().get(0);
        String index = new TopicNames(APPLICATION_ID).settings();
        TreeSet<String> names = new TreeSet<>(config.inputTopics());
        names.addAll(config.outputTopics());
        names.addAll(List.of(SEED_TOPIC, index));
        Map<String, FoundTopic> before = admin.findNow(names);
        Optional<Integer> made = Optional.ofNullable(before.get(input)).map(FoundTopic::partitions);
        int partitions = options.partitions().or(() -> made).orElse(1);
        if (made.isPresent() && made.get() != partitions) {
            throw unfit("topic " + input + " with the " + partitions + " partitions of --partitions, found "
                    + made.get() + ", which are fixed for the life of an index: leave --partitions out");
        }
        if (made.isPresent() && !options.seeds().isEmpty()) {
            throw unfit("a new folder for --seed, as seeds come before the first document, found one in use: leave"
                    + " --seed out");
        }
        boolean hasSeeds = before.containsKey(SEED_TOPIC) || !options.seeds().isEmpty();
        if (before.containsKey(SEED_TOPIC) && !before.containsKey(index)) {
            throw unfit(
                    "all documents of --seed, found only those that an interrupted start has sent: delete the folder");
        }
        names.remove(index);
        if (!hasSeeds) {
            names.remove(SEED_TOPIC);
        }
        // Of several input topics the first is the last to be there: where it is, all are.
        names.stream()
                .filter(name -> !before.containsKey(name) && !name.equals(input))
                .forEach(name -> create(admin, name, partitions, config));
        if (made.isEmpty()) {
            create(admin, input, partitions, config);
        }
        // A producer that writes before a broker leads a partition may have its first batch refused, and then all
        // after it until it gives up. Who leads a partition knows its offsets.
        Map<TopicPartition, Long> unused =
                admin.ends(partitions(admin.findCreated(names).keySet(), partitions));
        return new ExistingTopics(partitions, made.isPresent(), hasSeeds);
    }

    private UnusableFileException unfit(String expectedAndFound) {
        return new UnusableFileException(
                options.data().orElseThrow() + ": expected " + expectedAndFound + ", or take another folder");
    }

    private static void create(ClusterAdmin admin, String topic, int partitions, NeardupConfig config) {
        boolean isCompacted = config.writesStories() && topic.equals(config.storiesTopic());
        admin.create(new NewTopic(topic, partitions, (short) 1)
                .configs(Map.of(
                        TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                        String.valueOf(RECORD_BYTES_MAX),
                        TopicConfig.CLEANUP_POLICY_CONFIG,
                        isCompacted ? TopicConfig.CLEANUP_POLICY_COMPACT : TopicConfig.CLEANUP_POLICY_DELETE)));
    }

    private static List<TopicPartition> partitions(Collection<String> topics, int partitions) {
        return topics.stream()
                .flatMap(topic -> ClusterAdmin.partitions(topic, partitions).stream())
                .toList();
    }

    // ---- in

    private Feed feed(NeardupConfig config) {
        if (!options.files().isEmpty()) {
            return feed(options.files(), config);
        }
        InputStream sample = Objects.requireNonNull(LocalRun.class.getResourceAsStream(SAMPLE_FEED + ".jsonl"));
        return Feed.ofStream(SAMPLE_FEED, sample, LINE_BYTES_MAX);
    }

    private Feed feed(List<String> files, NeardupConfig config) {
        return new Feed(files, options.standardInput(), Feed.Kind.of(config), LINE_BYTES_MAX);
    }

    private void publish(NeardupConfig config, ExistingTopics found, LocalResults results) {
        Producer<byte[], byte[]> producer = producer();
        Feed feed = feed(config).reportingSkipped(results::skipped);
        // Reading the standard input cannot be interrupted; a daemon does not keep the process alive.
        Thread thread = new Thread(
                () -> {
                    try (feed) {
                        send(feed, producer, config.inputTopics().get(0), found, results);
                        results.feedEnded(feed.skippedTotals());
                    } catch (IOException | RuntimeException | Error e) {
                        // Whatever it is: else nobody would ever tell the one that waits.
                        failed.completeExceptionally(e);
                    }
                },
                "neardup-feed");
        thread.setDaemon(true);
        thread.start();
    }

    private void sendSeeds(NeardupConfig config, ExistingTopics found, LocalResults results)
            throws IOException, InterruptedException {
        if (options.seeds().isEmpty()) {
            return;
        }
        progress.phase("sending the seeds");
        try (Feed feed = feed(options.seeds(), config).reportingSkipped(results::skipped)) {
            long sent = send(feed, producer(), SEED_TOPIC, found, results);
            throwIfFailed(0);
            results.seedsSent(sent, feed.skippedTotals());
        }
    }

    /** A full buffer makes it wait. What it still holds when this is closed is dropped. */
    private Producer<byte[], byte[]> producer() {
        Map<String, Object> settings = Map.of(
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                RECORD_BYTES_MAX,
                ProducerConfig.BUFFER_MEMORY_CONFIG,
                Math.max(BulkProducer.BUFFER_BYTES, 2L * RECORD_BYTES_MAX),
                // The service may be slower than the feed for as long as it takes.
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                Integer.MAX_VALUE);
        Map<String, Object> broker = Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        return resources.open(() -> BulkProducer.open(broker, settings, Duration.ZERO));
    }

    /**
     * Sends all of a feed, one by one over the partitions; returns how many records it had, when all have arrived. A
     * record's value is the line, its key the line's place.
     */
    private long send(
            Feed feed, Producer<byte[], byte[]> producer, String topic, ExistingTopics found, LocalResults results)
            throws IOException {
        boolean isSeed = topic.equals(SEED_TOPIC);
        long count = 0;
        for (FeedRecord line = feed.next(); line != null; line = feed.next()) {
            int partition = (int) (count++ % found.partitions);
            if (line.isOversized()) {
                results.oversized(line, isSeed);
                continue;
            }
            if (!isSeed) {
                results.published();
            }
            Future<?> unused = producer.send(
                    new ProducerRecord<>(topic, partition, line.key(), line.bytes(), List.of(results.run())),
                    (sent, failure) -> {
                        if (failure != null) {
                            failed.completeExceptionally(failure);
                        }
                    });
        }
        producer.flush();
        return count;
    }

    /** Returns when the service takes documents. */
    private DedupService startService(NeardupConfig config, HttpEndpoints endpoints, ExistingTopics found)
            throws IOException, InterruptedException {
        DedupService started = resources.open(() -> start(config, found));
        endpoints.serve(started);
        service = Optional.of(started);
        CompletableFuture<Void> unused = started.ended()
                .whenComplete((nothing, failure) ->
                        failed.completeExceptionally(failure == null ? new Resources.ClosedException() : failure));
        while (!started.isRunning()) {
            throwIfFailed(READY_POLL_MILLIS);
        }
        return started;
    }

    private DedupService start(NeardupConfig config, ExistingTopics found) throws IOException {
        try {
            return DedupService.start(config);
        } catch (StartupException e) {
            if (!found.isContinued) {
                throw e;
            }
            // Here is one application.id to a folder.
            throw new IOException(
                    String.valueOf(e.getMessage())
                            .replace(
                                    "under another application.id",
                                    "in another folder than " + options.data().orElseThrow()),
                    e);
        }
    }

    // ---- out

    /** A reader of all outputs: of a new folder from their beginning, else of what comes now. */
    private KafkaConsumer<byte[], byte[]> outputs(
            NeardupConfig config, ExistingTopics found, ClusterView cluster, LocalResults results) throws IOException {
        Collection<TopicPartition> partitions = partitions(config.outputTopics(), found.partitions);
        Map<TopicPartition, Long> from = found.isContinued
                ? cluster.admin().ends(partitions)
                : cluster.admin().beginnings(partitions);
        KafkaConsumer<byte[], byte[]> consumer = cluster.reader();
        if (found.isContinued && config.writesStories()) {
            List<TopicPartition> stories = partitions(List.of(config.storiesTopic()), found.partitions);
            new TopicReading(
                            consumer,
                            cluster.admin().beginnings(stories),
                            cluster.admin().ends(stories))
                    .readAll(results::storyCopies, unused -> {});
            consumer.resume(stories);
        }
        consumer.assign(partitions);
        from.forEach(consumer::seek);
        return consumer;
    }

    private void collect(KafkaConsumer<byte[], byte[]> outputs, LocalResults results)
            throws IOException, InterruptedException {
        long shownNanos = System.nanoTime() - PROGRESS_NANOS;
        while (!results.isComplete()) {
            for (ConsumerRecord<byte[], byte[]> record : outputs.poll(POLL)) {
                results.take(OutputRecords.copy(record));
            }
            if (System.nanoTime() - shownNanos >= PROGRESS_NANOS) {
                shownNanos = System.nanoTime();
                results.progress().ifPresent(progress::update);
            }
            throwIfFailed(0);
        }
        results.progress().ifPresent(progress::update);
    }

    /** Those up to these ends: they leave together with what they are on, and may be read later. */
    private static void collectVerdicts(
            KafkaConsumer<byte[], byte[]> outputs, Map<TopicPartition, Long> ends, LocalResults results)
            throws IOException {
        Map<TopicPartition, Long> from =
                ends.keySet().stream().collect(Collectors.toMap(Function.identity(), outputs::position));
        new TopicReading(outputs, from, ends).readAll(results::take, unused -> {});
    }

    /** @throws IOException if something has failed elsewhere, or does so meanwhile */
    private void throwIfFailed(long waitMillis) throws IOException, InterruptedException {
        try {
            failed.get(waitMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return;
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    private static IOException failure(ExecutionException e) {
        Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
        return cause instanceof IOException known ? known : new IOException("the service failed: " + cause, cause);
    }

    /**
     * What a local run does.
     *
     * @param settings of the user; where the broker is, the application id and the state folder are set by the run
     * @param files paths, or {@code -} for the standard input; none for the sample feed, or for nothing where an
     *     earlier start has begun the folder of the data
     * @param partitions of the input topic and of the outputs, at least 1; empty for those that are there, or one
     * @param seeds paths of documents that are there before the first of the files
     * @param port of the broker; 0 for any that is free
     * @param data folder of the broker's log and the service's state, which stays; empty for a temporary one
     */
    public record Options(
            Settings settings,
            List<String> files,
            InputStream standardInput,
            Optional<Integer> partitions,
            Optional<Path> out,
            List<String> seeds,
            int port,
            Optional<Path> data) {}
}
