package io.neardup.service.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.lifecycle.ServiceStatus.Phase;
import io.neardup.service.migration.ClusterView;
import io.neardup.service.migration.CutoverRequest;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.streams.topology.CutoverOrders;
import io.neardup.testing.Feeder;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import io.neardup.tools.cli.IndexReset;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What one index refuses, keeps and ends by when it hands its input over to another; FaultsIT kills both meanwhile. */
class CutoverIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int GROWN = 5;

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

    private NeardupConfig config(String applicationId, String... more) {
        List<String> settings = new ArrayList<>(List.of(
                "bootstrap.servers=" + servers,
                "application.id=" + applicationId,
                "replication.factor=1",
                "num.stream.threads=1",
                "state.dir=" + folder.resolve(applicationId)));
        settings.addAll(List.of(more));
        return NeardupConfig.forCluster(new Settings().pairs(settings));
    }

    private DedupService start(String applicationId, String... more) {
        return DedupService.start(config(applicationId, more));
    }

    /** As the command does it. */
    private void ask(String successor) {
        try (ClusterView cluster = new ClusterView(config(before))) {
            new CutoverRequest(before, cluster).ask(successor);
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
            ask("other");

            await().atMost(PATIENCE).until(() -> old.ended().isDone());
            await().atMost(PATIENCE).until(() -> follower.ended().isDone());
            assertThat(follower.ended()).isCompletedExceptionally();
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(follower.alerts())
                    .singleElement()
                    .asString()
                    .contains("hands it over to other"));
        }
        assertThatThrownBy(() -> start(after, "neardup.successor.of=" + before))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("hands it over to other, for good");
    }

    /** The way back before that: what was asked counts for good, but not which settings the successor has. */
    @Test
    void shouldBeTakenOverByASuccessorThatIsMadeAnewAfterItsEnd() throws Exception {
        Records.createTopics(servers, Outputs.WITH_INPUT, 1);
        List<News> news = NewsFeed.generateShort(40, 3);
        try (Outputs outputs = new Outputs(servers)) {
            try (DedupService old = start(before)) {
                feed(news.subList(0, 20));
                outputs.await(20, PATIENCE);
                start(after, "neardup.successor.of=" + before, "neardup.similarity.threshold=0.8")
                        .close();
                ask(after);
                await().atMost(PATIENCE).until(() -> old.ended().isDone());
                feed(news.subList(20, 40));
            }
            reset(after);
            try (DedupService successor = start(after, "neardup.successor.of=" + before)) {
                outputs.await(40, PATIENCE);
                await().atMost(PATIENCE).until(() -> successor.status().isReady());
                Set<String> unique = keys(outputs.of(Outputs.UNIQUE));
                feed(news.stream()
                        .filter(one -> unique.contains(one.id()))
                        .map(one -> new News("again-" + one.id(), one.text()))
                        .toList());
                outputs.await(40 + unique.size(), PATIENCE);
                assertThat(again(outputs, Outputs.UNIQUE)).isEmpty();
            }
        }
    }

    /** Offsets of the topic that was deleted mean nothing in the new one. */
    @Test
    void shouldTakeAllOfAnInputThatWasMadeAgainSinceItWasLeft() throws Exception {
        Records.createTopics(servers, Outputs.WITH_INPUT, 1);
        List<News> news = NewsFeed.generateShort(60, 3);
        try (Outputs outputs = new Outputs(servers)) {
            try (DedupService old = start(before)) {
                feed(news.subList(0, 50));
                outputs.await(50, PATIENCE);
                try (DedupService follower = start(after, "neardup.successor.of=" + before)) {
                    await().atMost(PATIENCE).until(() -> follower.status().phase() == Phase.FOLLOWING);
                }
                ask(after);
                await().atMost(PATIENCE).until(() -> old.ended().isDone());
            }
            makeAgain("documents");
            feed(news.subList(50, 60));
            try (DedupService successor = DedupService.start(
                    config(after, "neardup.successor.of=" + before).skippingDeletedInput())) {
                outputs.await(60, PATIENCE);
                await().atMost(PATIENCE).until(() -> successor.status().isReady());
            }
        }
    }

    private void reset(String applicationId) throws IOException {
        NeardupConfig config = config(applicationId);
        try (ClusterView cluster = new ClusterView(config)) {
            IndexReset reset = new IndexReset(config, cluster);
            reset.run(reset.plan(cluster.index()));
        }
    }

    private void feed(List<News> news) throws Exception {
        try (Feeder feeder = new Feeder(servers, "documents", 1)) {
            feeder.feed(news);
        }
    }

    private void makeAgain(String topic) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.deleteTopics(List.of(topic)).all().get();
            await().atMost(PATIENCE)
                    .until(() -> !admin.listTopics().names().get().contains(topic));
        }
        Records.createTopic(servers, topic, 1);
    }

    /** As after a stop of days: what was removed meanwhile may have left no trace. */
    @Test
    void shouldEndWhereItMayHaveMissedWhatThePredecessorRemoved() throws Exception {
        Records.createTopics(servers, Outputs.WITH_INPUT, 1);
        try (DedupService old = start(before)) {
            start(after, "neardup.successor.of=" + before).close();
            new SettingsTopic(config(after))
                    .note(
                            SettingsTopic.FOLLOWED,
                            System.currentTimeMillis() - Duration.ofDays(3).toMillis());

            try (DedupService follower = start(after, "neardup.successor.of=" + before)) {
                await().atMost(PATIENCE).until(() -> follower.ended().isDone());
                await().atMost(PATIENCE).untilAsserted(() -> assertThat(follower.alerts())
                        .singleElement()
                        .asString()
                        .contains("expected to read within 2 days what " + before + " has forgotten"));
            }
            assertThat(old.ended()).isNotDone();
        }
    }

    /** Keys are on other coordinators than their originals then, and tombstones are told to all. */
    @Test
    void shouldHandOverAnIndexThatHasGrown() throws Exception {
        Records.createTopics(servers, Outputs.WITH_INPUT, 2);
        List<News> news = NewsFeed.generateShort(60, 3);
        List<News> takenBack = news.subList(0, 30);
        String third = "third-" + test;
        try (Outputs outputs = new Outputs(servers)) {
            DedupService old = start(before);
            send(news, News::json);
            outputs.await(60, PATIENCE);
            Set<String> unique = keys(outputs.of(Outputs.UNIQUE));
            Records.grow(servers, "documents", GROWN);
            DedupService grown = takeOver(before, old, after, () -> {}, () -> {});
            try (KafkaProducer<byte[], byte[]> holdingBack = producer(Map.of("transactional.id", "test"));
                    DedupService last = takeOver(
                            after,
                            grown,
                            third,
                            () -> {
                                holdBackReplies(holdingBack);
                                send(takenBack, one -> null);
                            },
                            () -> {
                                awaitEmpty(after, this::nudge);
                                assertThat(stage(after)).isEqualTo(CutoverStage.ASKED);
                                holdingBack.abortTransaction();
                            })) {
                send(
                        news.stream()
                                .filter(one -> unique.contains(one.id()))
                                .map(one -> new News("again-" + one.id(), one.text()))
                                .toList(),
                        News::json);
                await().atMost(PATIENCE).until(() -> {
                    outputs.drain(Duration.ofMillis(200));
                    return again(outputs, Outputs.UNIQUE).size()
                                    + again(outputs, Outputs.DUPLICATE_OF).size()
                            == unique.size();
                });
                assertThat(last.status().isReady()).isTrue();
            }
            Set<String> expected = takenBack.stream()
                    .map(News::id)
                    .filter(unique::contains)
                    .map(id -> "again-" + id)
                    .collect(Collectors.toSet());
            assertThat(again(outputs, Outputs.UNIQUE)).isEqualTo(expected);
        }
    }

    private static Set<String> again(Outputs outputs, String topic) {
        return keys(outputs.of(topic)).stream()
                .filter(key -> key.startsWith("again-"))
                .collect(Collectors.toSet());
    }

    /**
     * Who reads what is committed gets nothing behind a transaction that is open: coordinators hear nothing of each
     * other.
     */
    private void holdBackReplies(KafkaProducer<byte[], byte[]> producer) {
        producer.initTransactions();
        producer.beginTransaction();
        send(
                producer,
                IntStream.range(0, GROWN).mapToObj(coordinator -> CutoverOrders.look(after + "-replies", coordinator)));
    }

    /** A coordinator that hears of nothing looks at its orders when it takes a record. */
    private void nudge() {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            send(
                    producer,
                    IntStream.range(0, GROWN)
                            .mapToObj(coordinator ->
                                    new ProducerRecord<>("documents", coordinator, "nobody".getBytes(UTF_8), null)));
        }
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, Stream<ProducerRecord<byte[], byte[]>> records) {
        records.forEach(record -> {
            Future<?> unused = producer.send(record);
        });
        producer.flush();
    }

    private CutoverStage stage(String from) {
        try (ClusterView cluster = new ClusterView(config(from))) {
            return cluster.cutover().stage();
        }
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(more);
        settings.put("bootstrap.servers", servers);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static Set<String> keys(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.stream().map(record -> new String(record.key(), UTF_8)).collect(Collectors.toSet());
    }

    /** To the partition of its key. */
    private void send(List<News> news, Function<News, byte[]> value) {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            send(
                    producer,
                    news.stream()
                            .map(one ->
                                    new ProducerRecord<>("documents", one.id().getBytes(UTF_8), value.apply(one))));
        }
    }

    private DedupService takeOver(
            String from, DedupService old, String to, Runnable beforeItIsAsked, Runnable afterwards) {
        DedupService successor = start(to, "neardup.successor.of=" + from);
        await().atMost(PATIENCE).until(() -> successor.status().phase() == Phase.FOLLOWING);
        beforeItIsAsked.run();
        try (ClusterView cluster = new ClusterView(config(from));
                ClusterView other = new ClusterView(config(to))) {
            CutoverRequest request = new CutoverRequest(from, cluster);
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(StartupException.class)
                    .until(() -> request.check(other, true) >= 0);
            request.ask(to);
        }
        afterwards.run();
        stopWhereAllAreEmpty(from, old);
        await().atMost(PATIENCE).until(() -> successor.status().isReady());
        return successor;
    }

    /** If it has more to do then, it does that after another start. */
    private void stopWhereAllAreEmpty(String from, DedupService old) {
        awaitEmpty(from, () -> {});
        old.close();
        while (stage(from) != CutoverStage.EMPTY) {
            try (DedupService again = DedupService.start(old.config())) {
                await().atMost(PATIENCE).until(() -> again.ended().isDone());
            }
        }
    }

    private void awaitEmpty(String from, Runnable eachTime) {
        try (ClusterView cluster = new ClusterView(config(from))) {
            await().atMost(PATIENCE).until(() -> {
                eachTime.run();
                Cutover now = cluster.cutover();
                return now.request().isPresent()
                        && now.empty().size() == now.request().get().coordinators();
            });
        }
    }

    /** Kafka Streams would share out the work of the two again and again. */
    @Test
    void shouldRefuseToRunBesideInstancesThatStillReadThePredecessor() throws Exception {
        Records.createTopics(servers, Outputs.WITH_INPUT, 1);
        try (Outputs outputs = new Outputs(servers)) {
            try (DedupService with = takenOver()) {
                assertThatThrownBy(() -> DedupService.start(second(after)))
                        .isInstanceOf(StartupException.class)
                        .hasMessageContaining("neardup.successor.of: expected it as before")
                        .hasMessageContaining("stop all instances");
                feed(NewsFeed.generateShort(20, 3));
                outputs.await(20, PATIENCE);
                assertThat(with.status().isReady()).isTrue();
            }
            try (DedupService without = start(after)) {
                await().atMost(PATIENCE).until(() -> without.status().isReady());
                assertThatThrownBy(() -> DedupService.start(second(after, "neardup.successor.of=" + before)))
                        .isInstanceOf(StartupException.class)
                        .hasMessageContaining("neardup.successor.of: expected none");
            }
        }
    }

    private DedupService takenOver() {
        try (DedupService old = start(before)) {
            DedupService successor = start(after, "neardup.successor.of=" + before);
            await().atMost(PATIENCE).until(() -> successor.status().phase() == Phase.FOLLOWING);
            ask(after);
            await().atMost(PATIENCE).until(() -> old.ended().isDone());
            await().atMost(PATIENCE).until(() -> successor.status().isReady());
            return successor;
        }
    }

    private NeardupConfig second(String applicationId, String... more) {
        List<String> settings = new ArrayList<>(List.of(more));
        settings.add("state.dir=" + folder.resolve("second"));
        return config(applicationId, settings.toArray(String[]::new));
    }
}
