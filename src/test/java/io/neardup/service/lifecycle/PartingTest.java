package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.similarity.Valley;
import io.neardup.streams.metrics.NearestSimilarities.Counted;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartingTest {
    private static final double SEEN_FROM = 0.58;

    private static String sentences(double threshold, double seenFrom, IntUnaryOperator documents) {
        int bin = (int) Math.round(threshold * Valley.BINS);
        Counted counted = new Counted(
                counts(at -> at < bin ? documents.applyAsInt(at) : 0),
                counts(at -> at < bin ? 0 : documents.applyAsInt(at)));
        return new Parting(threshold, seenFrom, null).sentences(counted);
    }

    private static List<Long> counts(IntUnaryOperator documents) {
        return IntStream.range(0, Valley.BINS)
                .mapToObj(at -> (long) documents.applyAsInt(at))
                .toList();
    }

    private static int hill(int at, int top, int height) {
        return Math.max(0, height - height * Math.abs(at - top) / 10);
    }

    /** The bulk of the unrelated, most of it below what is seen, and copies. */
    private static int falling(int at, int copiesAt) {
        return (int) (20_000 * Math.exp(-at / 8.0)) + hill(at, copiesAt, 60);
    }

    @Test
    void shouldSayThatTheThresholdStandsInAValley() {
        assertThat(sentences(0.76, SEEN_FROM, at -> falling(at, 90)))
                .matches("The threshold stands in a valley: documents part at about 0\\.7\\d\\.");
    }

    @Test
    void shouldSayThatManyLieAtBothSidesOfTheThresholdAndWhereDocumentsPartInstead() {
        assertThat(sentences(0.62, 0.4, at -> hill(at, 50, 400) + hill(at, 66, 300) + hill(at, 92, 200)))
                .startsWith("Many documents lie at both sides of the threshold: ")
                .contains(
                        " within 0.05 below it, and ",
                        " above. Documents part at about 0.80, and the",
                        " threshold is 0.62.")
                .contains("The command tune");
        assertThat(sentences(0.7, SEEN_FROM, at -> 100))
                .startsWith("Many documents lie at both sides of the threshold: 500 within 0.05 below it, and 500")
                .doesNotContain("part at")
                .contains("The command tune");
    }

    @Test
    void shouldSayWhereDocumentsPartThoughFewLieAtTheThreshold() {
        assertThat(sentences(0.6, 0.4, at -> hill(at, 48, 400) + hill(at, 66, 10) + hill(at, 92, 400)))
                .matches("Documents part at about 0\\.7\\d, and the threshold is 0\\.6\\. The command tune .*");
    }

    /** What was not counted is no lack of documents. */
    @Test
    void shouldNotTakeTheCutForAValley() {
        assertThat(sentences(0.7, SEEN_FROM, at -> at < 58 ? 0 : (int) (100 * Math.exp((58 - at) / 8.0))))
                .doesNotContain("part at");
        assertThat(sentences(0.7, 0.7, at -> at < 70 ? 0 : at)).isEmpty();
    }

    @Test
    void shouldSayNothingOfNoneOrFewDocuments() {
        assertThat(sentences(0.7, SEEN_FROM, at -> 0)).isEmpty();
        assertThat(sentences(0.7, SEEN_FROM, at -> at % 7 == 0 ? 1 : 0)).isEmpty();
    }

    /** By as many documents as an hour has, and as a day of a large feed. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100_000})
    void shouldNotDependOnHowManyDocumentsThereAre(int times) {
        assertThat(sentences(0.76, SEEN_FROM, at -> times * falling(at, 90))).startsWith("The threshold stands in");
        assertThat(sentences(0.76, SEEN_FROM, at -> times * (int) (20_000 * Math.exp(-at / 8.0))))
                .doesNotContain("part at");
    }
}
