package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PairTallyTest {
    private static final int MANY = 100;
    private static final int ASKERS = 2_000;

    private final PairTally tally = new PairTally(ASKERS, ASKERS, 1);

    @Test
    void shouldPutHalfOfTheDocumentsIntoEachHalf() {
        int[] masks = IntStream.range(0, 10_000).map(PairTally::mask).toArray();

        for (int half = 0; half < PairTally.RESAMPLES; half++) {
            int bit = 1 << half;
            assertThat(Arrays.stream(masks).filter(mask -> (mask & bit) != 0).count())
                    .isBetween(4_800L, 5_200L);
        }
    }

    @Test
    void shouldSeeOnlyThePairsOfAHalfThere() {
        add(0.1, 0, 1_000, MANY);
        IntStream.range(1_000, ASKERS)
                .filter(asker -> (PairTally.mask(asker) & PairTally.mask(asker + 1) & 1) != 0)
                .limit(60)
                .forEach(asker -> add(0.8, asker, asker + 1, MANY));

        Valley valley = tally.valley().orElseThrow();

        assertThat(tally.valleyOfHalf(0, valley.bulk()).orElseThrow().depth()).isCloseTo(valley.depth(), within(1e-9));
        assertThat(tally.valleyOfHalf(1, valley.bulk()).map(Valley::depth).orElse(0.0))
                .isLessThan(valley.depth() / 2);
    }

    @Test
    void shouldNotMakeAValleyOfPairsWithWideSteps() {
        add(0.1, 0, 1_000, MANY);
        add(0.8, 1_000, 1_060, PairTally.TOGETHER_MIN - 1);

        assertThat(tally.valley()).isEmpty();
        assertThat(tally.counts().pairs()).isEqualTo(1_060);
    }

    @Test
    void shouldCountADocumentOnceHoweverManyNeighboursItHas() {
        add(0.1, 0, 1_000, MANY);
        add(0.8, 0, 30, MANY);
        double depth = tally.valley().orElseThrow().depth();

        for (int again = 0; again < 15; again++) {
            add(0.8, 0, 30, MANY);
        }

        assertThat(tally.valley().orElseThrow().depth()).isEqualTo(depth);
    }

    @Test
    void shouldLookBehindDocumentsThatOnlyShareATemplate() {
        add(0.1, 0, ASKERS, MANY);
        for (int neighbour = 0; neighbour < 100; neighbour++) {
            add(0.5, 0, ASKERS, MANY);
        }
        add(0.9, 0, 200, MANY);

        assertThat(tally.valley().orElseThrow().threshold()).isBetween(0.55, 0.85);
    }

    @Test
    void shouldKeepTheSamePairsInWhateverOrderTheyCome() {
        PairExamples forward = new PairExamples();
        PairExamples backward = new PairExamples();
        IntStream.range(1, 500).forEach(other -> forward.offer(0, other, 0.5));
        IntStream.range(1, 500).map(i -> 500 - i).forEach(other -> backward.offer(other, 0, 0.5));

        assertThat(forward.from(0.5, 100))
                .hasSize(PairExamples.EACH)
                .doesNotHaveDuplicates()
                .isEqualTo(backward.from(0.5, 100));
        assertThat(forward.below(0.5, 100)).isEmpty();
    }

    /** A neighbour of each asker from one to another. */
    private void add(double jaccard, int fromAsker, int toAsker, int together) {
        for (int asker = fromAsker; asker < toAsker; asker++) {
            tally.add(new PairExample(asker, asker + 1, jaccard), together, asker, -1, 1);
        }
    }

    // ---- by hundredths

    private final SimilarityCounts counts = new SimilarityCounts();

    @Test
    void shouldCountAPairInItsHundredth() {
        for (int hundredth = 0; hundredth < 100; hundredth++) {
            assertThat(SimilarityCounts.bin(hundredth / 100.0)).isEqualTo(hundredth);
            assertThat(SimilarityCounts.bin(hundredth * 0.01)).isEqualTo(hundredth);
            assertThat(SimilarityCounts.bin((hundredth + 0.99) / 100)).isEqualTo(hundredth);
        }
        assertThat(SimilarityCounts.bin(1)).isEqualTo(99);
    }

    @Test
    void shouldCountAPairAsOftenAsItStandsForOthers() {
        counts.add(0.2, 3);
        counts.add(0.7, 1);
        counts.add(1, 2);

        assertThat(counts.pairs()).isEqualTo(6);
        assertThat(counts.pairs(20, 21)).isEqualTo(3);
        assertThat(counts.pairsFrom(0.7)).isEqualTo(3);
    }

    @Test
    void shouldTellWhatAShareStaysBelow() {
        for (int i = 0; i < 100; i++) {
            counts.add(i / 100.0, 1);
        }

        assertThat(counts.quantile(0.5)).isEqualTo(0.5);
        assertThat(counts.quantile(1)).isEqualTo(1);
        assertThat(new SimilarityCounts().quantile(0.5)).isZero();
    }

    @Test
    void shouldTakeTheMeanOfAFunctionOverWhatLiesBelow() {
        counts.add(0.101, 1);
        counts.add(0.103, 1);
        counts.add(0.5, 2);
        counts.add(0.9, 7);

        assertThat(counts.mean(90, similarity -> similarity)).isCloseTo((0.101 + 0.103 + 1) / 4, within(1e-12));
        assertThat(counts.mean(5, similarity -> similarity)).isZero();
    }
}
