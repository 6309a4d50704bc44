package io.neardup.faults;

import static io.neardup.testing.World.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Nearest;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Repeated;
import io.neardup.record.VerdictCodec;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.VerdictStories;
import io.neardup.testing.World;
import io.neardup.tools.audit.DiffReport;
import io.neardup.tools.audit.VerdictDiff;
import io.neardup.tools.audit.VerdictLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Verdicts of services on a broker: one for each record, and the stories that they tell, whatever happens. */
class VerdictsIT {
    private static final int DOCUMENTS = 2_000;
    private static final int PARTITIONS = 3;
    private static final String[] SETTINGS = {
        "neardup.outputs=records,verdicts,stories",
        "neardup.stories.every=1s",
        "neardup.source=/source",
        "neardup.bands.partitions=2",
        "acceptable.recovery.lag=1000000000"
    };
    private static final String[] SOURCES = {"www.one.com", "news.one.com", "two.org", "Agency", "agency", ""};

    @RegisterExtension
    static final World WORLD = new World();

    /** Of the story that was lost: copies and revision. */
    private String last = "";

    private static InstanceProcess start(String name, String... settings) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "bootstrap.servers=" + WORLD.servers(), "application.id=" + name, "neardup.bands.partitions=2"));
        all.addAll(List.of(settings));
        return WORLD.closeLater(InstanceProcess.start(WORLD.folder().resolve(name), all));
    }

    /** The committed records of a topic, by partition; waits until there are so many, and a moment longer. */
    private static Map<Integer, List<ConsumerRecord<byte[], byte[]>>> read(String topic, int count) {
        Map<Integer, List<ConsumerRecord<byte[], byte[]>>> records = new HashMap<>();
        try (Outputs written = new Outputs(WORLD.servers(), List.of(topic), record -> records.computeIfAbsent(
                        record.partition(), p -> new ArrayList<>())
                .add(record))) {
            written.await(count, PATIENCE);
            written.drain(Duration.ofMillis(400));
        }
        return records;
    }

    private static List<Verdict> verdicts(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.stream().map(VerdictsIT::verdict).toList();
    }

    private static Verdict verdict(ConsumerRecord<byte[], byte[]> record) {
        try {
            return VerdictCodec.decode(record.value());
        } catch (IOException e) {
            throw new AssertionError(new String(record.value(), UTF_8), e);
        }
    }

    private static void shouldBeOneForEachRecordInItsOrder(
            Map<Integer, List<ConsumerRecord<byte[], byte[]>>> written, int partitions) {
        Map<Integer, List<ConsumerRecord<byte[], byte[]>>> input = read("documents", DOCUMENTS);
        for (int p = 0; p < partitions; p++) {
            List<String> places = input.getOrDefault(p, List.of()).stream()
                    .map(record -> record.topic() + "-" + record.partition() + "-" + record.offset())
                    .toList();
            assertThat(verdicts(written.getOrDefault(p, List.of())))
                    .extracting(verdict -> verdict.position().toString())
                    .containsExactlyElementsOf(places);
            assertThat(written.getOrDefault(p, List.of()))
                    .extracting(record -> new String(record.key(), UTF_8))
                    .containsExactlyElementsOf(places);
        }
    }

    /** Record by record: the output that it is on, what it repeats and how similar it is. */
    private static void shouldAgreeWithTheOutputs(Map<Integer, List<ConsumerRecord<byte[], byte[]>>> written) {
        Map<String, String> left = new HashMap<>();
        WORLD.awaitOutputs(DOCUMENTS);
        WORLD.outputs().of(Outputs.UNIQUE).forEach(record -> left.put(new String(record.key(), UTF_8), "unique"));
        WORLD.outputs()
                .of(Outputs.DUPLICATE_OF)
                .forEach(record -> left.put(
                        new String(record.key(), UTF_8),
                        "duplicate of " + Outputs.header(record, OutputRecords.DUPLICATE_OF) + " at "
                                + Outputs.header(record, OutputRecords.DUPLICATE_OF_PLACE) + " "
                                + Outputs.header(record, OutputRecords.SIMILARITY)));
        Map<String, String> judged = new HashMap<>();
        written.values()
                .forEach(records -> verdicts(records).forEach(verdict -> judged.put(verdict.id(), describe(verdict))));
        assertThat(judged).isEqualTo(left);
        assertThat(judged.values())
                .filteredOn(text -> text.startsWith("duplicate"))
                .hasSizeGreaterThan(DOCUMENTS / 6);
    }

    private static String describe(Verdict verdict) {
        return verdict.outcome() == Outcome.DUPLICATE
                ? "duplicate of " + Objects.requireNonNull(verdict.repeated()).original() + " at "
                        + verdict.repeated().place() + " "
                        + verdict.repeated().similarity().value()
                : verdict.outcome().code();
    }

    /** What duplicates repeat, and what others are nearest to, by id and place, is what verdicts call unique. */
    private static void shouldNameUniqueOnesAlone(Map<Integer, List<ConsumerRecord<byte[], byte[]>>> written) {
        Set<String> unique = new HashSet<>();
        Set<String> named = new HashSet<>();
        written.values().forEach(records -> verdicts(records).forEach(verdict -> {
            Repeated repeated = verdict.repeated();
            Nearest nearest = verdict.nearest();
            if (verdict.outcome() == Outcome.UNIQUE) {
                unique.add(verdict.id() + " at " + verdict.position());
            }
            if (repeated != null) {
                named.add(repeated.original() + " at " + repeated.place());
            }
            if (nearest != null) {
                named.add(nearest.id() + " at " + nearest.place());
            }
        }));
        assertThat(unique).containsAll(named);
    }

    @Test
    void shouldWriteOneVerdictForEachRecordBesideTheOutputsWhereItIsKilled() throws Exception {
        createTopicsWithStories();
        List<News> news = NewsFeed.generate(DOCUMENTS, 3);
        InstanceProcess first = WORLD.startProcess("first", SETTINGS);
        InstanceProcess second = WORLD.startProcess("second", SETTINGS);
        feed(news, 0, DOCUMENTS / 3);
        awaitVerdicts(DOCUMENTS / 3);
        feed(news, DOCUMENTS / 3, DOCUMENTS / 2);
        first.killHard();
        feed(news, DOCUMENTS / 2, DOCUMENTS * 2 / 3);
        awaitVerdicts(DOCUMENTS * 2 / 3);
        InstanceProcess again = WORLD.startProcess("first", SETTINGS);
        feed(news, DOCUMENTS * 2 / 3, DOCUMENTS);
        VerdictStories stories = awaitVerdicts(DOCUMENTS);

        Map<Integer, List<ConsumerRecord<byte[], byte[]>>> written = read("verdicts", DOCUMENTS);
        shouldBeOneForEachRecordInItsOrder(written, PARTITIONS);
        shouldAgreeWithTheOutputs(written);
        shouldNameUniqueOnesAlone(written);
        assertThat(stories.stories()).hasSizeGreaterThan(100);
        stories.awaitTold(WORLD.servers());
        assertThat(again.isAlive() && second.isAlive()).isTrue();
    }

    @Test
    @Tag("slow")
    void shouldJudgeAsTheServiceBesideItWithTheSameSettings() throws Exception {
        WORLD.createTopics(1);
        WORLD.createTopic("live-verdicts");
        WORLD.createTopic("shadow-verdicts");
        List<News> news = NewsFeed.generate(DOCUMENTS, 4);
        WORLD.feed(news.subList(0, DOCUMENTS / 2));
        String[] live = {"neardup.outputs=records,verdicts", "neardup.verdicts.topic=live-verdicts"};
        String[] shadow = {
            "neardup.outputs=verdicts", "neardup.verdicts.topic=shadow-verdicts", "neardup.hash.seed=of:live"
        };
        try (InstanceProcess early = start("shadow", shadow)) {
            assertThat(early.awaitEnd(PATIENCE)).isEqualTo(1);
            assertThat(early.log())
                    .contains("neardup.hash.seed: expected of: and the application.id of an index, found live, of which"
                            + " topic live-settings holds none; start that one first, or name another");
        }
        try (InstanceProcess one = start("live", live)) {
            read("live-verdicts", 1);
            try (InstanceProcess other = start("shadow", shadow)) {
                read("shadow-verdicts", 200);
                other.killHard();
            }
            WORLD.feed(news.subList(DOCUMENTS / 2, DOCUMENTS));
            read("live-verdicts", DOCUMENTS);
            assertThat(one.isAlive()).isTrue();
        }
        try (InstanceProcess again = start("shadow", shadow)) {
            read("shadow-verdicts", DOCUMENTS);
            assertThat(again.isAlive()).isTrue();
            String seed = hashSeed("live");
            assertThat(hashSeed("shadow")).isEqualTo(seed);
            assertThat(again.log()).doesNotContain(seed);
        }

        Map<Integer, List<ConsumerRecord<byte[], byte[]>>> written = read("shadow-verdicts", DOCUMENTS);
        shouldBeOneForEachRecordInItsOrder(written, 1);
        shouldAgreeWithTheOutputs(written);
        DiffReport.Shares all = diff("live-verdicts", "shadow-verdicts").all();
        assertThat(List.of(all.pairs(), all.differing())).containsExactly((long) DOCUMENTS, 0L);
    }

    /** Digits of the secret. */
    private static String hashSeed(String application) {
        String settings = Records.readCommitted(WORLD.servers(), application + "-settings", 1)
                .get(0);
        return settings.replaceFirst(".*\"hashSeed\":-?(\\d+).*", "$1");
    }

    private static DiffReport diff(String a, String b) throws IOException {
        try (ClusterView cluster = new ClusterView(WORLD.config());
                VerdictLog first = VerdictLog.ofTopic(cluster, a, OptionalLong.empty());
                VerdictLog second = VerdictLog.ofTopic(cluster, b, OptionalLong.empty())) {
            return new VerdictDiff(first, second, text -> {}).run();
        }
    }

    @Test
    void shouldRefuseATopicWithFewerPartitionsThanTheInputAndOneThatIsNotCompacted() throws Exception {
        WORLD.createTopics(2);
        Records.createTopics(WORLD.servers(), List.of("verdicts", "stories"), 1);

        WORLD.requireProblems(
                WORLD.config("neardup.outputs=records,verdicts,stories"),
                "topic verdicts: expected at least 2 partitions, as the input (documents) has, found 1",
                "topic stories: expected the cleanup.policy compact",
                "found delete");
    }

    // ---- the stories that verdicts tell

    private static void createTopicsWithStories() throws Exception {
        WORLD.createTopics(PARTITIONS);
        WORLD.createTopic("verdicts");
        Records.createTopic(WORLD.servers(), "stories", 2, Map.of("cleanup.policy", "compact"));
    }

    private static ProducerRecord<byte[], byte[]> document(News news, int number) {
        String source = SOURCES[Math.floorMod(news.id().hashCode(), SOURCES.length)];
        String json = "{\"id\":\"%s\",\"source\":\"%s\",\"text\":\"%s\"}".formatted(news.id(), source, news.text());
        return new ProducerRecord<>(
                World.DOCUMENTS,
                number % PARTITIONS,
                news.timestamp(),
                news.id().getBytes(UTF_8),
                json.getBytes(UTF_8));
    }

    private static void feed(List<News> news, int from, int to) throws Exception {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = from; i < to; i++) {
            records.add(document(news.get(i), i));
        }
        WORLD.send(records);
    }

    private static VerdictStories awaitVerdicts(int count) {
        return VerdictStories.awaitVerdicts(WORLD.servers(), count);
    }

    @Test
    @SuppressWarnings("try") // What is held up is so until the end of the block.
    void shouldDecideDocumentsWhileStoriesAreBeingRestored() throws Exception {
        createTopicsWithStories();
        List<News> news = NewsFeed.generate(600, 4);
        DedupService before = WORLD.start(SETTINGS);
        feed(news, 0, 300);
        awaitVerdicts(300);
        World.awaitReady(before);
        WORLD.stop(before);

        String changelog = new TopicNames(WORLD.applicationId()).storiesChangelog();
        VerdictStories expected;
        try (AutoCloseable unused = WORLD.holdUp(changelog, 0);
                AutoCloseable unusedToo = WORLD.holdUp(changelog, 1)) {
            DedupService after = WORLD.startElsewhere(SETTINGS);
            World.awaitReady(after);
            assertThat(after.status().restoring().partitions()).isPositive();
            WORLD.requireRefused(
                    WORLD.configElsewhere("neardup.bands.partitions=2", "session.timeout.ms=1000"),
                    "neardup.outputs: expected stories, as other instances");
            feed(news, 300, 600);
            expected = awaitVerdicts(600);
            assertThat(after.status().restoring().partitions()).isPositive();
            assertThat(after.status().isReady()).isTrue();
        }
        expected.awaitTold(WORLD.servers());
    }

    @Test
    void shouldBeginStoriesAnewWhereTheirChangelogIsLost() throws Exception {
        createTopicsWithStories();
        List<News> news = NewsFeed.generate(300, 4);
        DedupService before = WORLD.start(SETTINGS);
        feed(news, 0, 300);
        VerdictStories known = awaitVerdicts(300);
        known.awaitTold(WORLD.servers());
        WORLD.stop(before);
        WORLD.deleteTopic(new TopicNames(WORLD.applicationId()).storiesChangelog());

        WORLD.startElsewhere(SETTINGS);

        JsonNode lost = known.stories().values().stream()
                .filter(story -> story.get("copies").asInt() > 1)
                .findFirst()
                .orElseThrow();
        String id = lost.get("id").asText();
        int number = IntStream.range(0, 300)
                .filter(i -> news.get(i).id().equals(id))
                .findFirst()
                .orElseThrow();
        feed(news, number, number + 1);
        try (Outputs stories = new Outputs(WORLD.servers(), List.of("stories"), record -> {
            if (lost.get("story").asText().equals(new String(record.key(), UTF_8))) {
                last = VerdictStories.comparable(record.value()).get("copies").asInt() + " at "
                        + VerdictStories.revision(record.value());
            }
        })) {
            await("a story of its own").atMost(PATIENCE).pollInSameThread().untilAsserted(() -> {
                stories.drain(Duration.ofMillis(200));
                assertThat(last).isEqualTo("1 at 1");
            });
        }
    }
}
