package io.neardup.faults;

import static io.neardup.testing.World.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Nearest;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Repeated;
import io.neardup.record.VerdictCodec;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.World;
import io.neardup.tools.audit.DiffReport;
import io.neardup.tools.audit.ExampleTexts;
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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Verdicts of services on a broker: one for each record, whatever happens. */
class VerdictsIT {
    private static final int DOCUMENTS = 2_000;

    @RegisterExtension
    static final World WORLD = new World();

    private static InstanceProcess start(String name, String... settings) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "bootstrap.servers=" + WORLD.servers(), "application.id=" + name, "neardup.bands.partitions=2"));
        all.addAll(List.of(settings));
        return WORLD.closeLater(InstanceProcess.start(WORLD.folder().resolve(name), all));
    }

    private static void create(int partitions, String... more) throws Exception {
        WORLD.createTopics(partitions);
        for (String topic : more) {
            WORLD.createTopic(topic);
        }
    }

    private static void feed(List<News> news) throws Exception {
        for (int from = 0; from < news.size(); from += 500) {
            WORLD.feed(news.subList(from, Math.min(news.size(), from + 500)));
        }
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

    private static void shouldBeOneForEachRecordInItsOrder(String topic, int partitions) {
        Map<Integer, List<ConsumerRecord<byte[], byte[]>>> input = read("documents", DOCUMENTS);
        Map<Integer, List<ConsumerRecord<byte[], byte[]>>> written = read(topic, DOCUMENTS);
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
    private static void shouldAgreeWithTheOutputs(String topic) {
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
        read(topic, DOCUMENTS).values().forEach(records -> verdicts(records)
                .forEach(verdict -> judged.put(verdict.id(), describe(verdict))));
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
    private static void shouldNameUniqueOnesAlone(String topic) {
        Set<String> unique = new HashSet<>();
        Set<String> named = new HashSet<>();
        read(topic, DOCUMENTS).values().forEach(records -> verdicts(records).forEach(verdict -> {
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
        create(4, "verdicts");
        List<News> news = NewsFeed.generate(DOCUMENTS, 3);
        String[] settings = {"neardup.bands.partitions=2", "neardup.outputs=records,verdicts"};
        InstanceProcess first = WORLD.startProcess("live", settings);
        feed(news.subList(0, DOCUMENTS / 2));
        read("verdicts", 200);
        WORLD.kill(first);
        feed(news.subList(DOCUMENTS / 2, DOCUMENTS));
        InstanceProcess second = WORLD.startProcess("live", settings);
        read("verdicts", DOCUMENTS);
        assertThat(second.isAlive()).isTrue();

        shouldBeOneForEachRecordInItsOrder("verdicts", 4);
        shouldAgreeWithTheOutputs("verdicts");
        shouldNameUniqueOnesAlone("verdicts");
    }

    @Test
    @Tag("slow")
    void shouldJudgeAsTheServiceBesideItWithTheSameSettings() throws Exception {
        create(1, "live-verdicts", "shadow-verdicts");
        List<News> news = NewsFeed.generate(DOCUMENTS, 4);
        feed(news.subList(0, DOCUMENTS / 2));
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
            feed(news.subList(DOCUMENTS / 2, DOCUMENTS));
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

        shouldBeOneForEachRecordInItsOrder("shadow-verdicts", 1);
        shouldAgreeWithTheOutputs("shadow-verdicts");
        DiffReport.Shares all = diff("live-verdicts", "shadow-verdicts").all();
        assertThat(List.of(all.pairs(), all.parted())).containsExactly((long) DOCUMENTS, 0L);
    }

    /** Digits of the secret. */
    private static String hashSeed(String application) {
        String settings = Records.readCommitted(WORLD.servers(), application + "-settings", 1)
                .get(0);
        return settings.replaceFirst(".*\"hashSeed\":-?(\\d+).*", "$1");
    }

    private static DiffReport diff(String a, String b) throws IOException {
        NeardupConfig config = WORLD.config();
        try (ClusterView cluster = new ClusterView(config)) {
            VerdictLog first = VerdictLog.ofTopic(cluster, a, OptionalLong.empty());
            VerdictLog second = VerdictLog.ofTopic(cluster, b, OptionalLong.empty());
            DiffReport report = new VerdictDiff(first, second, 3, text -> {}).run();
            ExampleTexts texts = new ExampleTexts(config, report.examples());
            texts.readInput(cluster);
            assertThat(report.examples())
                    .allSatisfy(
                            example -> assertThat(texts.of(example.a().id())).isNotBlank());
            return report;
        }
    }

    @Test
    void shouldRefuseATopicWithFewerPartitionsThanTheInput() throws Exception {
        create(2);
        Records.createTopic(WORLD.servers(), "verdicts", 1);

        WORLD.requireRefused(
                WORLD.config("neardup.outputs=verdicts"),
                "topic verdicts: expected at least 2 partitions, as the input (documents) has, found 1");
    }
}
