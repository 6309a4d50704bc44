package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SplitMix64Test {
    private static final int DRAWS = 200_000;

    @Test
    void shouldDrawTheBitsOfTheJdksSplitMix() {
        SplitMix64 draws = new SplitMix64(42);
        SplittableRandom random = new SplittableRandom(42);
        for (int i = 0; i < 1_000; i++) {
            assertThat(draws.bits()).isEqualTo(random.nextLong());
        }
    }

    @Test
    void shouldDrawEveryNumberBelowABoundAlikeOften() {
        SplitMix64 draws = new SplitMix64(1);
        int[] drawn = new int[12];
        for (int i = 0; i < DRAWS; i++) {
            drawn[draws.below(12)]++;
        }

        double expected = DRAWS / 12.0;
        for (int times : drawn) {
            assertThat((double) times).isEqualTo(expected, within(4.5 * Math.sqrt(expected)));
        }
    }

    /**
     * The first four moments of the standard normal distribution are 0, 1, 0 and 3; their estimates have variances of
     * 1, 2, 15 and 96 over n.
     */
    @Test
    void shouldDrawNormalNumbers() {
        SplitMix64 draws = new SplitMix64(2);
        double[] moments = new double[5];
        int within1 = 0;
        for (int i = 0; i < DRAWS; i++) {
            double number = draws.normal();
            for (int power = 1; power <= 4; power++) {
                moments[power] += Math.pow(number, power) / DRAWS;
            }
            within1 += Math.abs(number) < 1 ? 1 : 0;
        }

        assertThat(moments[1]).isEqualTo(0, within(4.5 * Math.sqrt(1.0 / DRAWS)));
        assertThat(moments[2]).isEqualTo(1, within(4.5 * Math.sqrt(2.0 / DRAWS)));
        assertThat(moments[3]).isEqualTo(0, within(4.5 * Math.sqrt(15.0 / DRAWS)));
        assertThat(moments[4]).isEqualTo(3, within(4.5 * Math.sqrt(96.0 / DRAWS)));
        assertThat(within1 / (double) DRAWS).isEqualTo(0.6827, within(4.5 * Math.sqrt(0.22 / DRAWS)));
    }
}
