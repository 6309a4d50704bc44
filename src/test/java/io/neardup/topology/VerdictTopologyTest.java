package io.neardup.topology;

import static io.neardup.topology.TopologyHarness.ANYTHING;
import static io.neardup.topology.TopologyHarness.NOW;
import static io.neardup.topology.TopologyHarness.bytes;
import static io.neardup.topology.TopologyHarness.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.similarity.Similarity;
import io.neardup.engine.text.NaiveShingles;
import io.neardup.engine.text.NormalizedText;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Nearest;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Position;
import io.neardup.record.Verdict.Repeated;
import io.neardup.record.VerdictCodec;
import io.neardup.streams.topology.OutputLimits;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One verdict for each record, beside what leaves or in its place. */
class VerdictTopologyTest extends TopologyTests {
    private static final String STORY = "A fire in the harbour destroyed two warehouses on Tuesday night.";
    private static final String OTHER = "The council has decided to build a new bridge over the river.";

    private static void feed(TopologyHarness running) {
        running.document("a", STORY);
        running.document("b", STORY);
        running.pipe(record("k", "no json"));
        running.pipe(record("a", null));
        running.document("c", OTHER);
    }

    @ParameterizedTest
    @CsvSource({"'records,verdicts', 3, 1, 1", "verdicts, 0, 0, 0"})
    void shouldWriteOneVerdictForEachRecordBesideTheOutputsOrInTheirPlace(
            String outputs, int unique, int duplicates, int deadLetters) throws IOException {
        TopologyHarness running = start("neardup.outputs=" + outputs);
        feed(running);

        List<Verdict> verdicts = running.verdicts();
        assertThat(verdicts)
                .extracting(verdict -> verdict.position().offset() + " " + verdict.id() + " "
                        + verdict.outcome().code() + " " + verdict.reason())
                .containsExactly(
                        "0 a unique null",
                        "1 b duplicate null",
                        "2 documents-0-2 dead-letter not-json",
                        "3 documents-0-3 tombstone null",
                        "4 c unique null");
        assertThat(verdicts.get(1).repeated()).isEqualTo(new Repeated("a", "documents-0-0", Similarity.EQUAL, null));
        assertThat(verdicts.get(1).position()).isEqualTo(new Position("documents", 0, 1));
        assertThat(verdicts.get(1).timestampMillis()).isEqualTo(NOW);
        assertThat(running.unique()).hasSize(unique);
        assertThat(running.duplicates()).hasSize(duplicates);
        assertThat(running.deadLetters()).hasSize(deadLetters);
    }

    @Test
    void shouldNameTheNearestOriginalThatWasNotSimilarEnough() throws IOException {
        TopologyHarness running = start("neardup.outputs=verdicts", "neardup.similarity.threshold=0.9");
        String longer = STORY + " Later.";
        running.document("a", STORY);
        running.document("b", STORY + " Later on, so");
        running.document("c", longer);
        double similarity = NaiveShingles.jaccard("char:9", NormalizedText.of(STORY), NormalizedText.of(longer));

        assertThat(running.verdicts())
                .filteredOn(verdict -> verdict.id().equals("c"))
                .extracting(Verdict::outcome, Verdict::nearest)
                .containsExactly(tuple(Outcome.UNIQUE, new Nearest("a", "documents-0-0", similarity)));
    }

    /** It was read, though nothing can be compared of it. */
    @Test
    void shouldTellTheLengthOfWhatCannotBeSigned() throws IOException {
        TopologyHarness running = start(
                "neardup.outputs=verdicts",
                "neardup.signature=io.neardup.engine.similarity.BitSamplingFamily",
                "neardup.family.bits=64");
        running.document("a", "no picture");

        assertThat(running.verdicts())
                .extracting(Verdict::outcome, Verdict::reason, Verdict::length)
                .containsExactly(tuple(Outcome.DEAD_LETTER, "unsignable", 10));
    }

    @Test
    void shouldBeOfTheOutcomeWhereTheOutputRefusesARecord() throws IOException {
        OutputLimits little = new OutputLimits(500, Long.MAX_VALUE, Long.MAX_VALUE, false);
        TopologyHarness running = start(little, ANYTHING, "neardup.outputs=records,verdicts");
        running.document("a", STORY.repeat(10));

        assertThat(running.deadLetters()).hasSize(1);
        assertThat(running.verdicts()).singleElement().satisfies(verdict -> {
            assertThat(verdict.outcome()).isEqualTo(Outcome.DEAD_LETTER);
            assertThat(verdict.reason()).isEqualTo("too-large");
        });
    }

    @Test
    void shouldBeStampedWhenItIsMadeUnderThePlaceOfItsRecordAndNameTheSourceAndTheSettings() throws IOException {
        String threshold = "neardup.similarity.threshold=0.9";
        TopologyHarness running = start("neardup.outputs=verdicts", "neardup.source=/source", threshold);
        String value = "{\"id\":\"a\",\"source\":\"Herald\",\"text\":\"" + STORY + "\"}";
        running.arrive(record(bytes("a"), bytes(value), 5));
        TestRecord<byte[], byte[]> written = only(running.verdictRecords());
        Verdict verdict = VerdictCodec.decode(written.value());
        assertThat(written.key()).isEqualTo(bytes("documents-0-0"));
        assertThat(written.timestamp()).isGreaterThanOrEqualTo(NOW);
        assertThat(verdict.source()).isEqualTo("Herald");
        assertThat(verdict.settings())
                .isEqualTo(NeardupConfig.of(new Settings().pairs(List.of(threshold)))
                        .fingerprint());
    }
}
