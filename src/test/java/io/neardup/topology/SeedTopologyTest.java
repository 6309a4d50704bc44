package io.neardup.topology;

import static io.neardup.topology.TopologyHarness.NOW;
import static io.neardup.topology.TopologyHarness.bytes;
import static io.neardup.topology.TopologyHarness.json;
import static io.neardup.topology.TopologyHarness.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.Limits;
import io.neardup.engine.similarity.Similarity;
import io.neardup.record.Verdict.Repeated;
import io.neardup.streams.topology.OutputRecords;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What coordinators make of documents, or originals of another index, that are there already. */
class SeedTopologyTest extends TopologyTests {
    private static final String STORY = "A fire in the harbour destroyed two warehouses on Tuesday night.";
    private static final String SEEDED = "neardup.seed.topics=corpus";

    @Test
    void shouldMakeAnOriginalOfEachDocumentAndWriteNoneOfThem() throws IOException {
        TopologyHarness running = start(SEEDED, "neardup.outputs=records,verdicts");
        running.seed("corpus", json("s1", STORY));
        running.seed("corpus", json("s2", STORY));
        running.document("a", STORY);

        assertThat(running.unique()).isEmpty();
        assertThat(running.duplicates()).singleElement().satisfies(copy -> assertThat(
                        header(copy, OutputRecords.DUPLICATE_OF))
                .isEqualTo("s1"));
        assertThat(running.verdicts()).singleElement().satisfies(verdict -> {
            assertThat(verdict.id()).isEqualTo("a");
            assertThat(verdict.length()).isEqualTo(STORY.length());
            assertThat(verdict.repeated()).isEqualTo(new Repeated("s1", "corpus-0-0", Similarity.EQUAL, null));
        });
    }

    @Test
    void shouldKeepTheFirstOfAlikeOnesWhereSeedsAreJudged() {
        TopologyHarness running = start(SEEDED, "neardup.seed.judge=true");
        running.seed("corpus", json("s1", STORY));
        running.seed("corpus", json("s2", STORY + " More follows."));
        running.document("a", STORY + " More follows.");

        assertThat(running.duplicates()).singleElement().satisfies(copy -> assertThat(
                        header(copy, OutputRecords.DUPLICATE_OF))
                .isEqualTo("s1"));
    }

    @Test
    void shouldSayWhereABadRecordOfASeedStandsOrOneThatTheWayDoesNotCarry() throws IOException {
        TestRecord<byte[], byte[]> bad = record(bytes("k"), bytes("no json"), NOW - 1_000);
        TopologyHarness running = start(SEEDED, "neardup.outputs=records,verdicts");
        running.seed("corpus", bad);
        running.seed("corpus", record(bytes("k"), new byte[7 << 20], NOW));
        List<TestRecord<byte[], byte[]>> dead = running.deadLetters();
        assertThat(dead)
                .extracting(one -> header(one, OutputRecords.REASON) + " " + header(one, OutputRecords.SOURCE_TOPIC)
                        + " " + header(one, OutputRecords.SOURCE_OFFSET))
                .containsExactly("not-json corpus 0", "too-large corpus 1");
        assertThat(dead.get(0).timestamp()).isEqualTo(NOW - 1_000);
        assertThat(dead.get(0).value()).isEqualTo(bad.value());
        assertThat(dead.get(0).headers().headers("traceparent")).hasSize(2);
        assertThat(running.verdicts()).isEmpty();
    }

    @Test
    void shouldLeaveOutWhatCameToTheTopicLater() {
        TopologyHarness running = start(SEEDED);
        for (int i = 0; i < TopologyHarness.SEED_END; i++) {
            running.seed("corpus", json("s" + i, "Something else, number " + i + ", of which nobody speaks."));
        }
        running.seed("corpus", json("late", STORY));
        running.document("a", STORY);

        assertThat(running.unique()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"seeding, 1", "record, 0"})
    void shouldCountTheRetentionFromWhatIsSet(String from, int duplicates) {
        long old = NOW - Duration.ofDays(30).toMillis();
        TopologyHarness running = start(SEEDED, "neardup.seed.retention=" + from, "neardup.retention=1d");
        TestRecord<byte[], byte[]> seed = json("s1", STORY);
        running.seed("corpus", record(bytes("s1"), seed.value(), old));
        for (int i = 0; i < 5; i++) {
            running.document("clock" + i, "The " + i + "th of some documents that move the clock of events on.");
        }
        running.document("a", STORY);

        assertThat(running.duplicates().stream()
                        .filter(copy -> header(copy, OutputRecords.ID).equals("a")))
                .hasSize(duplicates);
    }

    @Test
    void shouldReportWhenAllBeforeTheEndHasLeft() {
        TopologyHarness running = start(SEEDED);
        running.seed("corpus", json("s1", STORY));
        assertThat(running.seedsRead()).isEmpty();

        running.endSeed("corpus");

        assertThat(running.seedsRead()).isEqualTo(List.of("seed-read/0/1/corpus"));
    }

    // ---- originals of another index, as that writes them into its changelog

    private static final String OTHER = "Nobody was hurt when the ferry left an hour late for the island.";
    private static final String BEFORE = "before";

    private TopologyHarness predecessor(String... settings) {
        return start(with(settings, "application.id=" + BEFORE));
    }

    private TopologyHarness successor(String... settings) {
        return start(with(settings, "neardup.successor.of=" + BEFORE));
    }

    private static List<TestRecord<byte[], byte[]>> originals(TopologyHarness running, String... texts) {
        for (int i = 0; i < texts.length; i++) {
            running.document("a" + i, texts[i]);
        }
        return running.originals();
    }

    private static List<String> originalsOf(TopologyHarness running) {
        return running.duplicates().stream()
                .map(copy -> header(copy, OutputRecords.DUPLICATE_OF))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "neardup.similarity.threshold=0.8", "neardup.shingle=word:2",
                "neardup.bands.partitions=1", "neardup.signature=simhash",
                "neardup.similarity.verify=estimate", "neardup.signature=exact"
            })
    void shouldJudgeByTheOriginalsOfAnIndexOfOtherSettings(String setting) {
        TopologyHarness before = predecessor();
        TopologyHarness after = successor(setting);
        after.migrate(BEFORE, originals(before, STORY, OTHER));
        after.endMigration(BEFORE, Map.of());
        after.document("copy", STORY);

        assertThat(originalsOf(after)).containsExactly("a0");
        assertThat(after.unique()).isEmpty();
    }

    @Test
    void shouldForgetWhatThePredecessorForgets() {
        TopologyHarness before = predecessor();
        TopologyHarness after = successor();
        after.migrate(BEFORE, originals(before, STORY, OTHER));
        before.arrive(record("a0", null));
        after.migrate(BEFORE, before.originals());
        after.endMigration(BEFORE, Map.of());
        after.document("copy", STORY);
        after.document("other copy", OTHER);

        assertThat(after.duplicates()).singleElement().satisfies(copy -> {
            assertThat(header(copy, OutputRecords.DUPLICATE_OF)).isEqualTo("a1");
            assertThat(header(copy, OutputRecords.DUPLICATE_OF_PLACE))
                    .as("where the predecessor read it")
                    .isEqualTo("documents-0-1");
        });
        assertThat(after.unique()).hasSize(1);
    }

    @Test
    void shouldCompareWithinScopesAsThePredecessorDid() {
        String scope = "neardup.scope=/lang";
        String text = "{\"id\":\"%s\",\"lang\":\"%s\",\"text\":\"" + STORY + "\"}";
        TopologyHarness before = predecessor(scope);
        TopologyHarness after = successor(scope);
        before.pipe(record("en", text.formatted("en", "en")));
        before.arrive(record("fr", text.formatted("fr", "fr")));
        after.migrate(BEFORE, before.originals());
        after.endMigration(BEFORE, Map.of());
        after.arrive(record("copy", text.formatted("copy", "fr")));

        assertThat(originalsOf(after)).containsExactly("fr");
    }

    @Test
    void shouldLeaveOutWhatItCannotCompare() {
        TopologyHarness before = predecessor();
        TopologyHarness after = successor("neardup.shingle=word:1..8");
        after.migrate(BEFORE, originals(before, "a ".repeat(Limits.SHINGLES_MAX / 7), "Short enough."));
        after.endMigration(BEFORE, Map.of());
        after.document("copy", "Short enough.");

        assertThat(originalsOf(after)).containsExactly("a1");
        assertThat(after.deadLetters()).isEmpty();
    }

    @Test
    void shouldReportWhenAllIsTakenOver() {
        TopologyHarness before = predecessor();
        TopologyHarness after = successor();
        after.migrate(BEFORE, originals(before, STORY));
        assertThat(after.seedsRead()).isEmpty();

        after.endMigration(BEFORE, Map.of("documents", 7L));

        assertThat(after.seedsRead()).containsExactly("seed-read/0/1/before-originals-changelog");
    }
}
