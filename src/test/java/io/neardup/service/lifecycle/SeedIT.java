package io.neardup.service.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.lifecycle.ServiceStatus.Phase;
import io.neardup.service.migration.ClusterView;
import io.neardup.service.migration.CutoverRequest;
import io.neardup.service.migration.SeedingAgreement;
import io.neardup.streams.input.SeedPlan;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.streams.topology.SeedRecords;
import io.neardup.testing.Feeder;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Promises;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents that are there already, before the first of the input. */
class SeedIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String CORPUS = "corpus";
    /** More than the input has. */
    private static final int CORPUS_PARTITIONS = 5;

    private static final List<News> SEEDS = NewsFeed.generate(300, 3);
    private static final List<News> NEW = NewsFeed.generate(100, 99).stream()
            .map(news -> new News("new-" + news.id(), news.text()))
            .toList();

    @RegisterExtension
    static final SharedBroker BROKER = new SharedBroker();

    private static int tests;

    private final String servers = BROKER.bootstrapServers();
    private final String applicationId = "seeded-" + tests++;

    @TempDir
    private Path folder;

    @AfterEach
    void deleteTopics() throws Exception {
        BROKER.deleteTopics();
    }

    private List<String> settings(String... more) {
        List<String> pairs = new ArrayList<>(
                List.of("bootstrap.servers=" + servers, "application.id=" + applicationId, "replication.factor=1"));
        pairs.addAll(List.of(more));
        return pairs;
    }

    private NeardupConfig config(String... more) {
        List<String> pairs = settings(more);
        pairs.add("state.dir=" + folder.resolve("state"));
        return NeardupConfig.forCluster(new Settings().pairs(pairs));
    }

    private static News edited(News seed) {
        return new News("copy-of-" + seed.id(), seed.text() + " and a few words more");
    }

    private void createTopics(int partitions) throws Exception {
        Records.createTopics(servers, Outputs.WITH_INPUT, partitions);
        Records.createTopic(servers, CORPUS, CORPUS_PARTITIONS);
        try (Feeder corpus = new Feeder(servers, CORPUS, CORPUS_PARTITIONS)) {
            corpus.feed(SEEDS);
        }
    }

    private void feedCopies(int partitions) throws Exception {
        feed(partitions, SEEDS.stream().map(SeedIT::edited).toList());
    }

    private void feed(int partitions, List<News> news) throws Exception {
        try (Feeder feeder = new Feeder(servers, "documents", partitions)) {
            feeder.feed(news);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldJudgeTheFirstDocumentsAgainstAllSeedsAndWriteNoneOfThese(int partitions) throws Exception {
        createTopics(partitions);
        feedCopies(partitions);
        Records.commit(servers, CORPUS, List.of("no JSON"));
        try (DedupService service = DedupService.start(config("neardup.seed.topics=" + CORPUS));
                Outputs outputs = new Outputs(servers)) {
            feed(partitions, NEW);
            outputs.await(SEEDS.size() + NEW.size() + 1, PATIENCE);
            outputs.drain(Duration.ofSeconds(1));

            requireCopiesOfSeeds(outputs);
            assertThat(ids(outputs.of("unique"))).allMatch(id -> id.startsWith("new-"));
            assertThat(outputs.of("dead-letter")).singleElement().satisfies(dead -> assertThat(
                            Outputs.header(dead, OutputRecords.SOURCE_TOPIC))
                    .isEqualTo(CORPUS));
            assertThat(outputs.size()).isEqualTo(SEEDS.size() + NEW.size() + 1);
            await().atMost(PATIENCE).until(() -> service.status().isReady());
            Promises.requireVerified(config("neardup.seed.topics=" + CORPUS), true);
        }
    }

    private static void requireCopiesOfSeeds(Outputs outputs) {
        Set<String> seeds = SEEDS.stream().map(News::id).collect(Collectors.toSet());
        List<ConsumerRecord<byte[], byte[]>> copies = outputs.of("duplicate-of").stream()
                .filter(record -> id(record).startsWith("copy-of-"))
                .toList();
        assertThat(ids(copies))
                .containsExactlyInAnyOrderElementsOf(
                        SEEDS.stream().map(seed -> edited(seed).id()).collect(Collectors.toCollection(TreeSet::new)));
        assertThat(copies).allSatisfy(copy -> {
            assertThat(Outputs.header(copy, OutputRecords.DUPLICATE_OF)).isIn(seeds);
            assertThat(Outputs.header(copy, OutputRecords.DUPLICATE_OF_SEED)).isEqualTo(CORPUS);
        });
        assertThat(outputs.of("duplicate-of"))
                .filteredOn(record -> !id(record).startsWith("copy-of-"))
                .allMatch(record -> record.headers().lastHeader(OutputRecords.DUPLICATE_OF_SEED) == null);
    }

    private static String id(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.key(), UTF_8);
    }

    private static Set<String> ids(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.stream().map(SeedIT::id).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void shouldGoOnWhereItWasAfterAKill() throws Exception {
        createTopics(2);
        List<String> settings = settings("neardup.seed.topics=" + CORPUS);
        try (InstanceProcess killed = InstanceProcess.start(folder.resolve("killed"), settings)) {
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(ExecutionException.class)
                    .until(this::isSeedOnItsWay);
            killed.killHard();
        }
        feedCopies(2);
        try (InstanceProcess goingOn = InstanceProcess.start(folder.resolve("killed"), settings);
                Outputs outputs = new Outputs(servers)) {
            outputs.await(SEEDS.size(), PATIENCE);
            goingOn.killHard();
            try (InstanceProcess again = InstanceProcess.start(folder.resolve("killed"), settings)) {
                feed(2, NEW);
                outputs.await(SEEDS.size() + NEW.size(), PATIENCE);
                outputs.drain(Duration.ofSeconds(1));
                assertThat(again.isAlive()).isTrue();
            }
            requireCopiesOfSeeds(outputs);
            assertThat(outputs.size()).isEqualTo(SEEDS.size() + NEW.size());
        }
    }

    private boolean isSeedOnItsWay() throws ExecutionException, InterruptedException {
        TopicPartition toFirstCoordinator = new TopicPartition(applicationId + "-seeds", 0);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            return admin.listOffsets(Map.of(toFirstCoordinator, OffsetSpec.latest()))
                            .partitionResult(toFirstCoordinator)
                            .get()
                            .offset()
                    > 0;
        }
    }

    @Test
    void shouldNameSeedsAlsoWhenTheSettingIsTakenOut() throws Exception {
        createTopics(2);
        try (DedupService seeding = DedupService.start(config("neardup.seed.topics=" + CORPUS))) {
            await().atMost(PATIENCE).until(() -> seeding.status().isReady());
        }
        feedCopies(2);
        Records.createTopic(servers, "other", 1);
        assertThatThrownBy(() -> DedupService.start(config("neardup.seed.topics=other")))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("expected " + CORPUS);
        try (DedupService service = DedupService.start(config());
                Outputs outputs = new Outputs(servers)) {
            outputs.await(SEEDS.size(), PATIENCE);

            requireCopiesOfSeeds(outputs);
            await().atMost(PATIENCE).until(() -> service.status().isReady());
        }
    }

    @Test
    void shouldRefuseSeedsOfAnIndexThatWasBegunWithout() throws Exception {
        createTopics(1);
        DedupService.start(config()).close();

        assertThatThrownBy(() -> DedupService.start(config("neardup.seed.topics=" + CORPUS)))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("neardup.seed.topics")
                .hasMessageContaining("expected none");
    }

    /** Of the corpus, which left nowhere, and of the news that the first index released, each in turn. */
    private static List<News> repeats(String index) {
        return Stream.concat(SEEDS.stream(), NEW.stream())
                .map(news -> new News(index + "-of-" + news.id(), news.text() + " and a few words more"))
                .toList();
    }

    private void requireSeedsNamed(String index, Outputs outputs) {
        Map<String, String> seeds = outputs.of("duplicate-of").stream()
                .filter(record -> id(record).startsWith(index))
                .collect(Collectors.toMap(SeedIT::id, SeedIT::seedOf));
        Map<String, String> expected = repeats(index).stream()
                .collect(Collectors.toMap(News::id, news -> news.id().startsWith(index + "-of-new-") ? "" : CORPUS));
        assertThat(seeds).isEqualTo(expected);
    }

    private static String seedOf(ConsumerRecord<byte[], byte[]> duplicate) {
        Header seed = duplicate.headers().lastHeader(OutputRecords.DUPLICATE_OF_SEED);
        return seed == null ? "" : new String(seed.value(), UTF_8);
    }

    /** The one that runs hands its input over; the successor is fed what repeats all that it has taken over. */
    private void takeOver(String from, String to, int partitions, int taken, Outputs outputs) throws Exception {
        DedupService old = DedupService.start(configOf(from));
        try (DedupService successor = DedupService.start(configOf(to, "neardup.successor.of=" + from))) {
            await().atMost(PATIENCE).until(() -> successor.status().phase() == Phase.FOLLOWING);
            try (ClusterView cluster = new ClusterView(configOf(from))) {
                new CutoverRequest(from, cluster).ask(to);
            }
            await().atMost(PATIENCE).until(() -> old.ended().isDone());
            old.close();
            await().atMost(PATIENCE).until(() -> successor.status().isReady());
        }
        feed(partitions, repeats(to));
        try (DedupService again = DedupService.start(configOf(to))) {
            outputs.await(taken + SEEDS.size() + NEW.size(), PATIENCE);
            assertThat(again.isRunning()).isTrue();
        }
        requireSeedsNamed(to, outputs);
        Promises.requireVerified(configOf(to), true);
    }

    private NeardupConfig configOf(String index, String... more) {
        List<String> pairs = new ArrayList<>(
                List.of("application.id=" + index, "state.dir=" + folder.resolve(index), "neardup.hash.seed=5"));
        pairs.addAll(List.of(more));
        return config(pairs.toArray(String[]::new));
    }

    @Test
    void shouldNameSeedsAcrossCutoversAlsoToMorePartitions() throws Exception {
        createTopics(2);
        feedCopies(2);
        try (Outputs outputs = new Outputs(servers)) {
            try (DedupService seeded = DedupService.start(configOf("first", "neardup.seed.topics=" + CORPUS))) {
                feed(2, NEW);
                outputs.await(SEEDS.size() + NEW.size(), PATIENCE);
                assertThat(seeded.isRunning()).isTrue();
            }
            takeOver("first", "second", 2, SEEDS.size() + NEW.size(), outputs);
            Records.grow(servers, "documents", 5);
            takeOver("second", "third", 5, 2 * (SEEDS.size() + NEW.size()), outputs);
        }
    }

    /** As the cluster does by itself with positions of a group that was away for longer than it keeps them. */
    private void forgetPositions() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(ExecutionException.class)
                    .until(() -> {
                        admin.deleteConsumerGroups(List.of(applicationId)).all().get();
                        return true;
                    });
        }
    }

    private boolean isSomeOfSeedRead() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            return admin.listConsumerGroupOffsets(applicationId).partitionsToOffsetAndMetadata().get().keySet().stream()
                    .anyMatch(partition -> partition.topic().equals(CORPUS));
        }
    }

    @Test
    void shouldNotTakeASeedAgainOfWhichThePositionsAreForgotten() throws Exception {
        createTopics(2);
        List<String> settings = settings("neardup.seed.topics=" + CORPUS);
        try (InstanceProcess killed = InstanceProcess.start(folder.resolve("killed"), settings)) {
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .ignoreExceptionsInstanceOf(ExecutionException.class)
                    .until(this::isSomeOfSeedRead);
            killed.killHard();
        }
        forgetPositions();

        assertThatThrownBy(() -> DedupService.start(config("neardup.seed.topics=" + CORPUS)))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("expected to know how far corpus was read")
                .hasMessageContaining("with reset");
    }

    /** An empty seed has nothing but an end, which comes with no position. */
    @Test
    void shouldTakeNoEndForADocumentOfWhichThePositionIsForgotten() throws Exception {
        String way = new TopicNames(applicationId).seeds();
        Records.createTopic(servers, way, 2);
        NeardupConfig config = config("neardup.seed.topics=" + CORPUS);
        Seeding seeding = new Seeding(
                new SeedPlan(List.of(new SeedPlan.Topic(CORPUS, "id", List.of(0L))), false), 2, List.of("documents"));
        try (ClusterAdmin admin = ClusterAdmin.open(config);
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", servers), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(SeedRecords.end(way, 0, CORPUS)).get();
            producer.send(SeedRecords.end(way, 1, CORPUS)).get();
            SeedingAgreement.requirePositions(config, admin, seeding);

            producer.send(new ProducerRecord<>(way, 1, null, new byte[1])).get();
            assertThatThrownBy(() -> SeedingAgreement.requirePositions(config, admin, seeding))
                    .isInstanceOf(StartupException.class)
                    .hasMessageContaining("expected to know how far corpus was read");
        }
    }
}
