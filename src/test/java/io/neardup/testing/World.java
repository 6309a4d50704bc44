package io.neardup.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.lifecycle.ServiceStatus.Phase;
import io.neardup.service.lifecycle.WatchfulService;
import io.neardup.service.migration.ClusterView;
import io.neardup.testing.NewsFeed.News;
import io.neardup.tools.cli.CutoverRequest;
import io.neardup.tools.local.EmbeddedBroker;
import io.neardup.tools.local.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.assertj.core.api.AbstractStringAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A broker that all tests share, and for each test an application id, a folder, topics, instances and
 * readers of its own: what a test opens here is closed behind it, and its topics are deleted. To be registered as a
 * static field; as a field of the object, each test has a broker of its own.
 *
 * <p>Instances look around more often than those of users, see {@link WatchfulService}, so that tests need not wait.
 */
public final class World implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
    public static final Duration PATIENCE = Duration.ofMinutes(2);
    public static final String DOCUMENTS = "documents";

    /** A consumer that is closed waits for the fetch that is under way. */
    private static final String BRIEF_FETCHES = "consumer.fetch.max.wait.ms=50";

    /** So that no application id comes again on a broker, in whatever class. */
    private static final AtomicInteger TESTS = new AtomicInteger();

    private final SharedBroker broker = new SharedBroker();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Map<String, Feeder> feeders = new HashMap<>();
    private String applicationId = "";
    private boolean isShared;
    private int folders;
    private int partitions;
    private @Nullable EmbeddedBroker own;
    private @Nullable TemporaryFolder folderOfOwn;
    private @Nullable Admin admin;
    private @Nullable TemporaryFolder folder;
    private @Nullable Outputs outputs;
    private @Nullable KafkaProducer<byte[], byte[]> producer;

    // ---- the broker and the settings

    public String servers() {
        return own == null ? broker.bootstrapServers() : own.bootstrapServers();
    }

    public Admin admin() {
        return Objects.requireNonNull(admin);
    }

    /** The cluster as the service asks it. */
    public ClusterAdmin cluster() {
        return new ClusterAdmin(admin(), servers());
    }

    /** Of the index of this test. */
    public String applicationId() {
        return applicationId;
    }

    /** Of this test alone. */
    public Path folder() {
        return Objects.requireNonNull(folder).path();
    }

    /**
     * The settings of an instance, but for its folder; of those with the same key the last counts. One thread is sooner
     * ready than two. Without a seed one of a hundred duplicates would be missed now and then, by chance.
     */
    public List<String> settings(String... more) {
        Map<String, String> byKey = new LinkedHashMap<>();
        Stream.of(
                        Stream.of(
                                "bootstrap.servers=" + servers(),
                                "application.id=" + applicationId,
                                "replication.factor=1",
                                "num.stream.threads=1",
                                "neardup.hash.seed=1",
                                BRIEF_FETCHES),
                        Stream.of(more))
                .flatMap(pairs -> pairs)
                .forEach(pair -> byKey.put(pair.substring(0, pair.indexOf('=')), pair));
        return List.copyOf(byKey.values());
    }

    /** The settings of an instance whose state is in the folder {@code state}. */
    public NeardupConfig config(String... more) {
        return configIn("state", more);
    }

    /** The settings of an instance with its own state: another one, or one that has lost its disk. */
    public NeardupConfig configElsewhere(String... more) {
        return configIn("state-" + folders++, more);
    }

    /** The settings of an instance of another index. */
    public NeardupConfig configOf(String index, String... more) {
        return configIn(
                index,
                Stream.concat(Stream.of("application.id=" + index), Stream.of(more))
                        .toArray(String[]::new));
    }

    private NeardupConfig configIn(String state, String... more) {
        List<String> pairs = new ArrayList<>(List.of("state.dir=" + folder().resolve(state)));
        pairs.addAll(settings(more));
        return NeardupConfig.forCluster(new Settings().pairs(pairs));
    }

    // ---- topics

    /** The input and the outputs. */
    public void createTopics(int partitionsEach) throws ExecutionException, InterruptedException {
        partitions = partitionsEach;
        Records.createTopics(servers(), Outputs.WITH_INPUT, partitionsEach);
    }

    /** One more, with as many partitions as the input. */
    public void createTopic(String topic) throws ExecutionException, InterruptedException {
        Records.createTopic(servers(), topic, partitions);
    }

    public void deleteTopic(String topic) throws ExecutionException, InterruptedException {
        forgetFeeder(topic);
        admin().deleteTopics(List.of(topic)).all().get();
        await("no " + topic)
                .atMost(PATIENCE)
                .until(() -> !admin().listTopics().names().get().contains(topic));
    }

    /** Gives a topic more partitions. */
    public void grow(String topic, int partitionsThen) throws ExecutionException, InterruptedException {
        forgetFeeder(topic);
        if (producer != null) { // It would address by the partitions that it knows, for minutes.
            producer.close();
            producer = null;
        }
        Records.grow(servers(), topic, partitionsThen);
        if (topic.equals(DOCUMENTS)) {
            partitions = partitionsThen;
        }
    }

    /** Of the first partition. */
    public void deleteRecords(String topic, long beforeOffset) throws ExecutionException, InterruptedException {
        admin().deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(beforeOffset)))
                .all()
                .get();
    }

    public void deleteAllRecords(String topic) throws ExecutionException, InterruptedException {
        Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
        for (int p = 0; p < partitions; p++) {
            all.put(new TopicPartition(topic, p), RecordsToDelete.beforeOffset(-1));
        }
        admin().deleteRecords(all).all().get();
    }

    // ---- documents and what comes of them

    /** Round robin over the partitions of the input, from where the last call ended. */
    public void feed(List<News> news) throws ExecutionException, InterruptedException {
        feed(DOCUMENTS, news);
    }

    /** The same for any topic. */
    public void feed(String topic, List<News> news) throws ExecutionException, InterruptedException {
        feeders.computeIfAbsent(topic, unused -> new Feeder(servers(), topic, 0))
                .feed(news);
    }

    private void forgetFeeder(String topic) {
        Feeder feeder = feeders.remove(topic);
        if (feeder != null) {
            feeder.close();
        }
    }

    /** Writes records of any kind, one after the other, in no transaction. */
    public void send(Collection<ProducerRecord<byte[], byte[]>> records)
            throws ExecutionException, InterruptedException {
        if (producer == null) {
            producer = Records.bytesTo(servers(), Map.of("max.request.size", 8_000_000));
        }
        List<Future<?>> sent = new ArrayList<>();
        for (ProducerRecord<byte[], byte[]> one : records) {
            sent.add(producer.send(one));
        }
        for (Future<?> each : sent) {
            each.get();
        }
    }

    /** What this test has read of the outputs. */
    public Outputs outputs() {
        if (outputs == null) {
            outputs = new Outputs(servers());
        }
        return outputs;
    }

    /** Reads the outputs until so many records have come out since the test began. */
    public void awaitOutputs(int count) {
        outputs().await(count, PATIENCE);
    }

    /** Reads what is left of the outputs, which must be so many records in all. No instance may run any more. */
    public void requireOutputs(int count) throws ExecutionException, InterruptedException {
        outputs().readToEnd(admin(), PATIENCE);
        assertThat(outputs().size()).as("records on the outputs").isEqualTo(count);
    }

    /** Reads what is left of the outputs, and judges the promises. No instance may run any more. */
    public void requirePromises(List<News> fed) throws ExecutionException, InterruptedException {
        requireOutputs(fed.size());
        Judge.of(fed, partitions).conclude(outputs());
    }

    /** Lets nobody who reads what is committed go on in this partition, until it is closed: it aborts a transaction. */
    public AutoCloseable holdUp(String topic, int partition) throws ExecutionException, InterruptedException {
        KafkaProducer<byte[], byte[]> open =
                Records.bytesTo(servers(), Map.of("transactional.id", "in-the-way-of-" + topic + "-" + partition));
        closeLater(open);
        open.initTransactions();
        open.beginTransaction();
        // With a key, as a compacted topic needs one.
        open.send(new ProducerRecord<>(topic, partition, new byte[] {0}, new byte[] {0}))
                .get();
        return () -> {
            open.abortTransaction();
            open.close();
        };
    }

    // ---- instances

    /** Starts an instance whose state is in the folder {@code state}. */
    public DedupService start(String... more) {
        return start(config(more));
    }

    /** Starts an instance with its own state: another one, or one that has lost its disk. */
    public DedupService startElsewhere(String... more) {
        return start(configElsewhere(more));
    }

    public DedupService start(NeardupConfig config) {
        return closeLater(WatchfulService.start(config));
    }

    /** Closes what the test opened, behind it or before. */
    public <T extends AutoCloseable> T closeLater(T opened) {
        open.push(opened);
        return opened;
    }

    /** Stops an instance that must not have ended by itself. */
    public void stop(DedupService service) {
        assertThat(service.ended()).isNotDone();
        service.close();
    }

    /** Runs an instance until so many records have come out since the test began. */
    public void runUntil(int count, NeardupConfig config) {
        DedupService service = start(config);
        awaitOutputs(count);
        stop(service);
    }

    /** Runs an instance until all has come out that it is fed. */
    public void runWith(List<News> news, NeardupConfig config) throws ExecutionException, InterruptedException {
        int before = outputs().size();
        feed(news);
        runUntil(before + news.size(), config);
    }

    public static void awaitRunning(DedupService service) {
        await("a running instance").atMost(PATIENCE).until(service::isRunning);
    }

    /** All tasks run, seeds are read, and what was to be taken over is. */
    public static void awaitReady(DedupService service) {
        await("a ready instance").atMost(PATIENCE).until(() -> service.status().isReady());
    }

    /** Waits until an operator is told this. */
    public static void awaitNote(DedupService service, String note) {
        await(note).atMost(PATIENCE).until(() -> service.alerts().stream().anyMatch(found -> found.contains(note)));
    }

    /** Waits until an instance stops by itself, for this reason, and closes it. */
    public static void awaitFailure(DedupService service, String message) {
        assertThat(service.ended())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(StartupException.class)
                .withMessageContaining(message);
        service.close();
    }

    /** Requires that an instance does not start, and says so in one line. */
    public void requireRefused(NeardupConfig config, String... messages) {
        refusal(config).contains(messages).hasLineCount(1);
    }

    /** The same in as many lines as there are problems. */
    public void requireProblems(NeardupConfig config, String... messages) {
        refusal(config).contains(messages);
    }

    private AbstractStringAssert<?> refusal(NeardupConfig config) {
        return assertThatThrownBy(() -> start(config))
                .isInstanceOf(StartupException.class)
                .message();
    }

    /** Asks an index to hand its input over, as the command does it. */
    public static void askToHandOver(NeardupConfig config, String successor) {
        try (ClusterView cluster = new ClusterView(config)) {
            new CutoverRequest(config.applicationId(), cluster).ask(successor);
        }
    }

    /** Starts an index that takes over from the one that runs, which ends. */
    public DedupService takeOver(DedupService old, NeardupConfig successor) {
        DedupService started = start(successor);
        awaitFollowing(started);
        askToHandOver(old.config(), successor.applicationId());
        awaitEnd(old);
        old.close();
        awaitReady(started);
        return started;
    }

    public static void awaitFollowing(DedupService service) {
        await("a successor that follows")
                .atMost(PATIENCE)
                .until(() -> service.status().phase() == Phase.FOLLOWING);
    }

    /** Waits until it stops by itself, for whatever reason. */
    public static void awaitEnd(DedupService service) {
        await("the end of an instance").atMost(PATIENCE).until(() -> service.ended()
                .isDone());
    }

    /** Starts an instance as a process, whose state and log are in a folder of that name. */
    public InstanceProcess startProcess(String name, String... more) throws IOException {
        return closeLater(InstanceProcess.start(folder().resolve(name), settings(more)));
    }

    /** As {@code kill -9}, and as if the session were over: so the cluster finds out at once. */
    public void kill(InstanceProcess instance) throws InterruptedException {
        instance.killHard();
        await("a group without members").atMost(PATIENCE).ignoreExceptions().until(() -> {
            if (members() > 0) { // Of a group without any it cannot be asked: the instance may have ended by itself.
                admin().removeMembersFromConsumerGroup(applicationId, new RemoveMembersFromConsumerGroupOptions())
                        .all()
                        .get();
            }
            return members() == 0;
        });
    }

    /** Of the group of all instances: one a thread. */
    public int members() throws ExecutionException, InterruptedException {
        return Objects.requireNonNull(admin().describeConsumerGroups(List.of(applicationId))
                        .describedGroups()
                        .get(applicationId))
                .get()
                .members()
                .size();
    }

    /** As the cluster does by itself with positions of a group that was away for longer than it keeps them. */
    public void forgetPositions() {
        await("a group without members")
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(ExecutionException.class)
                .until(() -> {
                    admin().deleteConsumerGroups(List.of(applicationId)).all().get();
                    return true;
                });
    }

    // ---- before and after

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        isShared = true;
        broker.beforeAll(context);
        admin = Admin.create(Map.<String, Object>of("bootstrap.servers", servers()));
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        if (!isShared) {
            folderOfOwn = new TemporaryFolder("neardup-broker-");
            own = EmbeddedBroker.start(folderOfOwn.path(), 0, false);
            admin = Admin.create(Map.<String, Object>of("bootstrap.servers", servers()));
        }
        applicationId = "neardup-" + TESTS.getAndIncrement();
        folder = new TemporaryFolder("neardup-world-");
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        try {
            while (!open.isEmpty()) {
                open.pop().close();
            }
            List.copyOf(feeders.keySet()).forEach(this::forgetFeeder);
            if (producer != null) {
                producer.close();
                producer = null;
            }
            if (outputs != null) {
                outputs.close();
                outputs = null;
            }
        } finally {
            if (isShared) {
                broker.deleteTopics();
            } else {
                admin().close();
                Objects.requireNonNull(own).close();
                Objects.requireNonNull(folderOfOwn).close();
            }
            Objects.requireNonNull(folder).close();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        if (isShared) {
            admin().close();
            broker.afterAll(context);
        }
    }
}
