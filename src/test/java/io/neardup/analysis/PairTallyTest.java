package io.neardup.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PairTallyTest {
    private static final int MANY = 100;
    private static final int ALL = (1 << PairTally.RESAMPLES) - 1;

    private final PairTally tally = new PairTally();

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
        add(0.1, 1_000, ALL, MANY);
        add(0.8, 60, 1, MANY);

        assertThat(tally.valley()).isPresent();
        assertThat(tally.valleyOfHalf(0)).isEqualTo(tally.valley());
        assertThat(tally.valleyOfHalf(1)).isEmpty();
    }

    @Test
    void shouldNotMakeAValleyOfPairsWithWideSteps() {
        add(0.1, 1_000, ALL, MANY);
        add(0.8, 60, ALL, PairTally.TOGETHER_MIN - 1);

        assertThat(tally.valley()).isEmpty();
        assertThat(tally.counts().pairs()).isEqualTo(1_060);
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

    private void add(double jaccard, int times, int mask, int together) {
        for (int i = 0; i < times; i++) {
            tally.add(new PairExample(i, i + 1, jaccard), together, mask, 1);
        }
    }
}
