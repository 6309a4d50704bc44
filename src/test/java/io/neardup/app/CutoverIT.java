package io.neardup.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.app.ServiceStatus.Phase;
import io.neardup.audit.PromiseVerifier;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.cutover.Cutover;
import io.neardup.cutover.Cutover.CutoverStage;
import io.neardup.cutover.Fact;
import io.neardup.cutover.FactCodec;
import io.neardup.testing.Feeder;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.OwnThread;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntUnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One index hands its input over to another, under load and with kills. */
class CutoverIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int BATCH = 10;
    private static final long BATCH_MILLIS = 100;
    /** More than is fed in any time that the test may take. */
    private static final int NEWS_MAX = 10_000;

    /** Equal, so that whatever one of them is told of is what the other would be told of. */
    private static final String HASH_SEED = "neardup.hash.seed=5";

    @RegisterExtension
    static final SharedBroker BROKER = new SharedBroker();

    private static int tests;

    private final String servers = BROKER.bootstrapServers();
    private final int test = tests++;
    private final String before = "before-" + test;
    private final String after = "after-" + test;

    @TempDir
    private Path folder;

    @AfterEach
    void deleteTopics() throws Exception {
        BROKER.deleteTopics();
    }

    private List<String> settings(String applicationId, String... more) {
        List<String> settings = new ArrayList<>(List.of(
                "bootstrap.servers=" + servers,
                "application.id=" + applicationId,
                "replication.factor=1",
                "num.stream.threads=1",
                HASH_SEED));
        settings.addAll(List.of(more));
        return settings;
    }

    private InstanceProcess startBefore() throws IOException {
        return InstanceProcess.start(folder.resolve(before), settings(before));
    }

    private InstanceProcess startAfter() throws IOException {
        return InstanceProcess.start(folder.resolve(after), settings(after, "neardup.successor.of=" + before));
    }

    /** As the command does it. */
    private void ask(String successor, int homes) throws ExecutionException, InterruptedException {
        Fact asked = new Fact.Asked(UUID.randomUUID().toString(), successor, homes);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            before + "-settings", FactCodec.key(asked).getBytes(UTF_8), FactCodec.value(asked)))
                    .get();
        }
    }

    /** Feeds a batch now and then until it is stopped, and tells how many documents that were. */
    private CompletableFuture<Integer> feed(List<News> news, int partitions, AtomicBoolean isStopped) {
        CompletableFuture<Integer> fed = new CompletableFuture<>();
        OwnThread.named("feed").execute(() -> {
            try (Feeder feeder = new Feeder(servers, "documents", partitions)) {
                int next = 0;
                for (; next < news.size() && !isStopped.get(); next += BATCH) {
                    feeder.feed(news.subList(next, next + BATCH));
                    TimeUnit.MILLISECONDS.sleep(BATCH_MILLIS);
                }
                fed.complete(next);
            } catch (ExecutionException | InterruptedException | RuntimeException e) {
                fed.completeExceptionally(e);
            }
        });
        return fed;
    }

    private void pause(Random random, int millisMax) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(millisMax));
    }

    private InstanceProcess killedAndStarted(InstanceProcess instance, boolean isBefore) throws Exception {
        instance.killHard();
        return isBefore ? startBefore() : startAfter();
    }

    @ParameterizedTest
    @CsvSource({"2, 2, 1", "2, 4, 2"})
    void shouldReleaseEachRecordOnceAcrossACutoverWithKills(int homes, int partitions, long seed) throws Exception {
        Random random = new Random(seed);
        Records.createTopics(servers, Outputs.WITH_INPUT, homes);
        List<News> news = NewsFeed.generate(NEWS_MAX, seed);
        AtomicBoolean isStopped = new AtomicBoolean();
        InstanceProcess old = startBefore();
        InstanceProcess successor = null;
        try (Outputs outputs = new Outputs(servers)) {
            int early = feed(news.subList(0, 200), homes, isStopped).join();
            outputs.await(100, PATIENCE);
            if (partitions > homes) {
                grow(partitions);
            }
            CompletableFuture<Integer> late = feed(news.subList(early, news.size()), partitions, isStopped);
            successor = startAfter();
            pause(random, 4_000);
            successor = killedAndStarted(successor, false);
            pause(random, 3_000);
            ask(after, homes);
            pause(random, 1_500);
            old = killedAndStarted(old, true);
            pause(random, 1_500);
            successor = killedAndStarted(successor, false);
            requireEnd(old);
            pause(random, 2_000);
            successor = killedAndStarted(successor, false);
            Map<TopicPartition, Long> left = left(partitions);
            await().atMost(PATIENCE).until(() -> hasTakenMoreThan(left));
            isStopped.set(true);
            int fed = early + late.join();
            outputs.await(fed, PATIENCE);
            outputs.drain(Duration.ofSeconds(1));

            assertThat(outputs.size()).isEqualTo(fed);
            requireOrder(outputs, news, n -> n < early ? n % homes : (n - early) % partitions);
            assertThat(successor.isAlive()).isTrue();
            requireKeptPromises();
        } finally {
            isStopped.set(true);
            old.close();
            if (successor != null) {
                successor.close();
            }
        }
    }

    /**
     * What is of one partition of the input leaves in its order, whichever of the two releases it.
     *
     * @param partition of a document, by its number
     */
    private static void requireOrder(Outputs outputs, List<News> news, IntUnaryOperator partition) {
        Map<String, Integer> numbers = new HashMap<>();
        news.forEach(one -> numbers.put(one.id(), numbers.size()));
        Map<String, List<Integer>> left = new HashMap<>();
        Outputs.ALL.forEach(topic -> outputs.of(topic).forEach(record -> {
            int number = Objects.requireNonNull(numbers.get(new String(record.key(), UTF_8)));
            String from = topic + "-" + record.partition() + " of " + partition.applyAsInt(number);
            left.computeIfAbsent(from, f -> new ArrayList<>()).add(number);
        }));
        assertThat(left).isNotEmpty().allSatisfy((from, order) -> assertThat(order)
                .isSorted());
    }

    /** By partition of the input, the first record that the successor is to take. */
    private Map<TopicPartition, Long> left(int partitions) {
        try (ClusterView cluster = new ClusterView(NeardupConfig.forCluster(new Settings().pairs(settings(before))))) {
            Cutover cutover = cluster.cutover();
            assertThat(cutover.stage()).isEqualTo(CutoverStage.EMPTY);
            Map<TopicPartition, Long> left = new HashMap<>();
            for (int p = 0; p < partitions; p++) {
                left.put(
                        new TopicPartition("documents", p),
                        cutover.positions().getOrDefault(p, Map.of()).getOrDefault("documents", 0L));
            }
            return left;
        }
    }

    /** Whether the successor has committed records of each partition. */
    private boolean hasTakenMoreThan(Map<TopicPartition, Long> left) {
        try (ClusterView cluster = new ClusterView(NeardupConfig.forCluster(new Settings().pairs(settings(after))))) {
            Map<TopicPartition, Long> taken = cluster.groupAdmin().committed();
            return left.entrySet().stream()
                    .allMatch(start -> taken.getOrDefault(start.getKey(), 0L) > start.getValue() + BATCH);
        }
    }

    @Test
    void shouldRefuseWhatCannotBeMadeFromThePredecessorAndStayNew() throws Exception {
        Records.createTopics(servers, Outputs.WITH_INPUT, 1);
        assertThatThrownBy(() -> start(after, "neardup.successor.of=" + before))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("neardup.successor.of");
        start(before).close();

        assertThatThrownBy(() -> start(after, "neardup.successor.of=" + before, "neardup.text.case=keep"))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("neardup.text.case: the predecessor was made with lower, now keep");
        try (DedupService follower = start(after, "neardup.successor.of=" + before, "neardup.shingle=word:3")) {
            await().atMost(PATIENCE).until(() -> follower.status().phase() == Phase.FOLLOWING);
            assertThat(follower.status().isReady()).isFalse();
        }
        assertThatThrownBy(() -> start(after, "neardup.shingle=word:3"))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("expected " + before);
        assertThatThrownBy(() -> start(before, "neardup.successor.of=" + after))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("expected none");
    }

    @Test
    void shouldEndWhereAnotherIndexTakesOver() throws Exception {
        Records.createTopics(servers, Outputs.WITH_INPUT, 1);
        try (DedupService old = start(before);
                DedupService follower = start(after, "neardup.successor.of=" + before)) {
            ask("other", 1);

            await().atMost(PATIENCE).until(() -> old.ended().isDone());
            await().atMost(PATIENCE).until(() -> follower.ended().isDone());
            assertThat(follower.ended()).isCompletedExceptionally();
            assertThat(follower.attention()).singleElement().asString().contains("hands it over to other");
        }
        assertThatThrownBy(() -> start(after, "neardup.successor.of=" + before))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("hands it over to other, for good");
    }

    private DedupService start(String applicationId, String... more) {
        List<String> settings = settings(applicationId, more);
        settings.add("state.dir=" + folder.resolve(applicationId));
        return DedupService.start(NeardupConfig.forCluster(new Settings().pairs(settings)));
    }

    private void grow(int partitions) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.createPartitions(Map.of("documents", NewPartitions.increaseTo(partitions)))
                    .all()
                    .get();
            await().atMost(PATIENCE).until(() -> isThere(admin, new TopicPartition("documents", partitions - 1)));
        }
    }

    private static boolean isThere(Admin admin, TopicPartition partition) throws InterruptedException {
        try {
            return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                            .all()
                            .get()
                            .size()
                    == 1;
        } catch (ExecutionException e) {
            return false;
        }
    }

    /** Where it was empty before it was killed, it is refused to start. */
    private static void requireEnd(InstanceProcess old) throws Exception {
        int exitCode = old.awaitEnd(PATIENCE);
        assertThat(exitCode == 0 || old.log().contains("expected an index with an input"))
                .as(old.log())
                .isTrue();
    }

    private void requireKeptPromises() throws IOException {
        NeardupConfig config = NeardupConfig.forCluster(new Settings().pairs(settings(after)));
        try (ClusterView cluster = new ClusterView(config)) {
            assertThat(new PromiseVerifier(config, cluster, progress -> {}).run(true))
                    .allSatisfy(report -> assertThat(report.isHeld()).isTrue());
        }
    }
}
