package io.neardup.topology;

import static io.neardup.topology.TopologyHarness.json;
import static io.neardup.topology.TopologyHarness.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.Limits;
import io.neardup.streams.topology.OutputRecords;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an index makes of the originals of another, as that writes them into its changelog. */
class SuccessorTopologyTest extends TopologyTests {
    private static final String STORY = "A fire in the harbour destroyed two warehouses on Tuesday night.";
    private static final String OTHER = "Nobody was hurt when the ferry left an hour late for the island.";
    private static final String BEFORE = "before";

    private TopologyHarness predecessor(String... settings) {
        return start(with("application.id=" + BEFORE, settings));
    }

    private TopologyHarness successor(String... settings) {
        return start(with("neardup.successor.of=" + BEFORE, settings));
    }

    private static String[] with(String setting, String... settings) {
        String[] all = Arrays.copyOf(settings, settings.length + 1);
        all[settings.length] = setting;
        return all;
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
    void shouldRemoveAnOriginalOfThePredecessorAtATombstone() {
        TopologyHarness before = predecessor();
        TopologyHarness after = successor();
        after.migrate(BEFORE, originals(before, STORY));
        after.endMigration(BEFORE, Map.of());
        after.pipe(record("a0", null));
        after.arrive(json("again", STORY));

        assertThat(after.duplicates()).isEmpty();
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
