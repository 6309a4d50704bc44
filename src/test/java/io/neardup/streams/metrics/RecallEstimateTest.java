package io.neardup.streams.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.lsh.Banding;
import io.neardup.streams.metrics.RecallEstimate.Estimate;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecallEstimateTest {
    private static final int RUNS = 200;

    private final RecallEstimate recall = new RecallEstimate();

    @Test
    void shouldLetEachDuplicateStandForThoseThatWereNotFound() {
        LongStream.range(0, 300).forEach(original -> recall.add(original, original < 100 ? 0.5 : 1));

        Estimate estimate = recall.estimate().orElseThrow();

        assertThat(estimate.duplicates()).isEqualTo(300);
        assertThat(estimate.share()).isEqualTo(300 / 400.0);
        // 100 times (1 - p) / p^2 = 2.
        double either = 1.96 * Math.sqrt(200);
        assertThat(estimate.low()).isCloseTo(300 / (400 + either), within(1e-9));
        assertThat(estimate.high()).isCloseTo(300 / (400 - either), within(1e-9));
    }

    @Test
    void shouldNotTellFromAFew() {
        recall.add(1, 0.5);
        recall.add(2, 0.5);

        assertThat(recall.estimate()).isEmpty();
    }

    /**
     * Copies are found or missed one by one, or all those of an original together; some originals have many. In either
     * case the interval holds what was found of these copies, and it is no wider than it must for those together.
     */
    @ParameterizedTest
    @CsvSource({"26, 5, false", "26, 5, true", "9, 5, false", "9, 5, true"})
    void shouldHoldTheShareThatIsFoundIn95Of100(int bands, int rows, boolean together) {
        Banding banding = new Banding(bands, rows);
        SplittableRandom random = new SplittableRandom(7);
        int held = 0;
        double width = 0;
        for (int run = 0; run < RUNS; run++) {
            RecallEstimate estimated = new RecallEstimate();
            long all = 0;
            long found = 0;
            for (long original = 0; original < 400; original++) {
                int copies = original % 40 == 0 ? 50 : 1 + random.nextInt(4);
                double chance = banding.probability(0.7 + 0.3 * random.nextDouble());
                double draw = random.nextDouble();
                for (int copy = 0; copy < copies; copy++) {
                    all++;
                    if ((together ? draw : random.nextDouble()) < chance) {
                        found++;
                        estimated.add(original, chance);
                    }
                }
            }
            Estimate estimate = estimated.estimate().orElseThrow();
            double share = found / (double) all;
            held += estimate.low() <= share && share <= estimate.high() ? 1 : 0;
            width += estimate.high() - estimate.low();
        }

        assertThat(held).isGreaterThanOrEqualTo(RUNS * 90 / 100);
        assertThat(width / RUNS).isLessThan(0.12);
    }
}
