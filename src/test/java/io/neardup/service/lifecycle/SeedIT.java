package io.neardup.service.lifecycle;

import static io.neardup.testing.World.PATIENCE;
import static io.neardup.testing.World.awaitReady;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.migration.SeedingAgreement;
import io.neardup.streams.input.SeedPlan;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.streams.topology.SeedRecords;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.Judge;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.World;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Documents that are there already, before the first of the input. */
class SeedIT {
    private static final String CORPUS = "corpus";
    private static final String SEEDED = "neardup.seed.topics=" + CORPUS;
    private static final String HASHED = "neardup.hash.seed=5";
    /** More than the input has. */
    private static final int CORPUS_PARTITIONS = 5;

    private static final List<News> SEEDS = NewsFeed.generate(150, 3);
    private static final List<News> COPIES = repeats("copy", SEEDS);
    private static final List<News> NEW = NewsFeed.generate(50, 99).stream()
            .map(news -> new News("new-" + news.id(), news.text()))
            .toList();

    @RegisterExtension
    static final World WORLD = new World();

    private static List<News> repeats(String by, List<News> of) {
        return of.stream()
                .map(news -> new News(by + "-of-" + news.id(), news.text() + " and a few words more"))
                .toList();
    }

    private static void createTopics(int partitions) throws Exception {
        WORLD.createTopics(partitions);
        Records.createTopic(WORLD.servers(), CORPUS, CORPUS_PARTITIONS);
        WORLD.feed(CORPUS, SEEDS);
    }

    @Test
    void shouldJudgeTheFirstDocumentsAgainstAllSeedsAndWriteNoneOfThese() throws Exception {
        createTopics(3);
        WORLD.feed(COPIES);
        Records.commit(WORLD.servers(), CORPUS, List.of("no JSON"));
        DedupService service = WORLD.start(SEEDED);
        WORLD.feed(NEW);
        WORLD.awaitOutputs(COPIES.size() + NEW.size() + 1);
        awaitReady(service);
        Judge.requireVerified(service.config(), true);
        WORLD.stop(service);

        WORLD.requireOutputs(COPIES.size() + NEW.size() + 1);
        requireSeedsNamed("copy");
        assertThat(ids(Outputs.UNIQUE)).allMatch(id -> id.startsWith("new-"));
        assertThat(WORLD.outputs().of(Outputs.DEAD_LETTER)).singleElement().satisfies(dead -> assertThat(
                        Outputs.header(dead, OutputRecords.SOURCE_TOPIC))
                .isEqualTo(CORPUS));
    }

    /** Each repeat of a seed is a duplicate of a seed and says so; no other document says that. */
    private static void requireSeedsNamed(String by) {
        List<ConsumerRecord<byte[], byte[]>> duplicates = WORLD.outputs().of(Outputs.DUPLICATE_OF);
        Map<String, String> seeds = duplicates.stream()
                .filter(record ->
                        id(record).startsWith(by + "-of-") && !seedOf(record).isEmpty())
                .collect(Collectors.toMap(SeedIT::id, SeedIT::seedOf));
        assertThat(seeds).isEqualTo(repeats(by, SEEDS).stream().collect(Collectors.toMap(News::id, news -> CORPUS)));
        Set<String> ids = SEEDS.stream().map(News::id).collect(Collectors.toSet());
        assertThat(duplicates)
                .filteredOn(record -> seeds.containsKey(id(record)))
                .extracting(record -> Outputs.header(record, OutputRecords.DUPLICATE_OF))
                .allMatch(ids::contains);
        assertThat(duplicates).filteredOn(record -> !seedOf(record).isEmpty()).allMatch(record -> id(record)
                .matches("[a-z]+-of-n[0-9]+"));
    }

    private static String seedOf(ConsumerRecord<byte[], byte[]> duplicate) {
        Header seed = duplicate.headers().lastHeader(OutputRecords.DUPLICATE_OF_SEED);
        return seed == null ? "" : new String(seed.value(), UTF_8);
    }

    private static String id(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.key(), UTF_8);
    }

    private static Set<String> ids(String topic) {
        return WORLD.outputs().of(topic).stream().map(SeedIT::id).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void shouldGoOnWhereItWasAfterAKill() throws Exception {
        createTopics(2);
        InstanceProcess seeding = WORLD.startProcess("killed", SEEDED);
        await("some of the seed on its way")
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(UnknownTopicOrPartitionException.class)
                .until(SeedIT::isSeedOnItsWay);
        WORLD.kill(seeding);
        WORLD.feed(COPIES);
        WORLD.feed(NEW);

        WORLD.runUntil(
                COPIES.size() + NEW.size(),
                WORLD.config(SEEDED, "state.dir=" + WORLD.folder().resolve("killed/state")));

        WORLD.requireOutputs(COPIES.size() + NEW.size());
        requireSeedsNamed("copy");
    }

    private static boolean isSeedOnItsWay() {
        return !WORLD.cluster().ends(List.of(new TopicPartition(ways(), 0))).containsValue(0L);
    }

    private static String ways() {
        return new TopicNames(WORLD.applicationId()).seeds();
    }

    @Test
    void shouldNameSeedsAlsoWhenTheSettingIsTakenOut() throws Exception {
        createTopics(2);
        DedupService seeding = WORLD.start(SEEDED);
        awaitReady(seeding);
        WORLD.stop(seeding);
        WORLD.createTopic("other");
        WORLD.requireRefused(WORLD.config("neardup.seed.topics=other"), "expected " + CORPUS);

        WORLD.feed(COPIES);
        DedupService service = WORLD.start();
        WORLD.awaitOutputs(COPIES.size());

        awaitReady(service);
        requireSeedsNamed("copy");
    }

    @Test
    void shouldNameSeedsAcrossCutoversAlsoToMorePartitions() throws Exception {
        createTopics(2);
        WORLD.feed(COPIES);
        DedupService first = WORLD.start(WORLD.configOf("first", HASHED, SEEDED));
        WORLD.feed(NEW);
        WORLD.awaitOutputs(COPIES.size() + NEW.size());

        DedupService second = takeOver(first, "second");
        WORLD.grow(World.DOCUMENTS, 5);
        takeOver(second, "third");
    }

    /**
     * The one that runs hands its input over. The next is started again, and fed what repeats all that it has taken
     * over: the corpus, which left nowhere, and the news that the first index released.
     */
    private static DedupService takeOver(DedupService old, String to) throws Exception {
        int before = WORLD.outputs().size();
        String follows = "neardup.successor.of=" + old.config().applicationId();
        WORLD.stop(WORLD.takeOver(old, WORLD.configOf(to, HASHED, follows)));
        WORLD.feed(repeats(to, SEEDS));
        WORLD.feed(repeats(to, NEW));
        DedupService again = WORLD.start(WORLD.configOf(to, HASHED));
        WORLD.awaitOutputs(before + SEEDS.size() + NEW.size());

        requireSeedsNamed(to);
        assertThat(ids(Outputs.DUPLICATE_OF))
                .containsAll(repeats(to, NEW).stream().map(News::id).toList());
        Judge.requireVerified(again.config(), true);
        return again;
    }

    @Test
    void shouldNotTakeASeedAgainOfWhichThePositionsAreForgotten() throws Exception {
        createTopics(2);
        DedupService seeding = WORLD.start(SEEDED);
        AutoCloseable way = WORLD.holdUp(ways(), 0);
        await("some of the seed read").atMost(PATIENCE).until(SeedIT::isSomeOfSeedRead);
        WORLD.stop(seeding);
        way.close();
        WORLD.forgetPositions();

        WORLD.requireRefused(WORLD.config(SEEDED), "expected to know how far corpus was read", "with index reset");
    }

    private static boolean isSomeOfSeedRead() {
        return WORLD.cluster().committed(WORLD.applicationId()).keySet().stream()
                .anyMatch(partition -> partition.topic().equals(CORPUS));
    }

    /** An empty seed has nothing but an end, which comes with no position. */
    @Test
    void shouldTakeNoEndForADocumentOfWhichThePositionIsForgotten() throws Exception {
        Records.createTopic(WORLD.servers(), ways(), 2);
        NeardupConfig config = WORLD.config(SEEDED);
        Seeding seeding = new Seeding(
                new SeedPlan(List.of(new SeedPlan.Topic(CORPUS, "id", List.of(0L))), false), 2, List.of("documents"));
        ClusterAdmin cluster = WORLD.cluster();
        WORLD.send(List.of(
                SeedRecords.end(ways(), 0, CORPUS, Optional.empty()),
                SeedRecords.end(ways(), 1, CORPUS, Optional.empty())));
        SeedingAgreement.requirePositions(config, cluster, seeding);

        WORLD.send(List.of(new ProducerRecord<>(ways(), 1, null, new byte[1])));
        assertThatThrownBy(() -> SeedingAgreement.requirePositions(config, cluster, seeding))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("expected to know how far corpus was read");
    }
}
