package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValleyTest {

    @Test
    void shouldFindNothingBehindEqualDocuments() {
        assertThat(Valley.behind(1, (from, to) -> 10)).isEmpty();
    }

    @Test
    void shouldLieBetweenTheUnrelatedAndTheCopies() {
        Valley valley =
                Valley.of(counts(bin -> falling(bin) + hill(bin, 80, 6, 100))).orElseThrow();

        assertThat(valley.threshold()).isBetween(0.48, 0.66);
        assertThat(valley.copies()).isCloseTo(0.8, within(0.02));
        assertThat(valley.depth()).isGreaterThan(100);
        assertThat(valley.contrast()).isGreaterThan(5);
    }

    @Test
    void shouldNotBeWherePairsOnlyFall() {
        assertThat(Valley.of(counts(ValleyTest::falling))).isEmpty();
        assertThat(Valley.of((from, to) -> 0)).isEmpty();
    }

    /** Of unrelated documents of any similarity, and with copies; a third of the hundredths may be empty. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldBeWhatTheRuleSaysWordByWord(int draw) {
        for (int seed = 10 * draw; seed < 10 * draw + 10; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int bulk = random.nextInt(4, 60);
            int holes = random.nextInt(3);
            long[] pairs = new long[Valley.BINS];
            Valley.InBins counts = counts(bin -> pairs[bin] =
                    (long) ((draw % 2 == 0 ? falling(bin) : hill(bin, bulk, 5, 5_000) + hill(bin, 90, 6, 60))
                                    * random.nextDouble()
                                    * (random.nextInt(3) < holes ? 0 : 1)
                            + (int) hill(bin, random.nextInt(40, 99), 5, 40)));

            double[] expected = bruteForce(pairs);

            assertThat(Valley.of(counts).map(Valley::threshold).orElse(0.0))
                    .as("seed %d", seed)
                    .isEqualTo(expected[0]);
            assertThat(Valley.of(counts).map(Valley::depth).orElse(0.0)).isCloseTo(expected[1], within(1e-9));
        }
    }

    /** The threshold and the depth, 0 without a valley. */
    private static double[] bruteForce(long[] pairs) {
        double[] window = new double[101];
        for (int centre = 4; centre <= 100; centre++) {
            for (int bin = centre - 4; bin < centre + 4 && bin < 97; bin++) {
                window[centre] += pairs[bin];
            }
        }
        int mode = 4;
        for (int centre = 4; centre < 72; centre++) {
            mode = window[centre] > window[mode] ? centre : mode;
        }
        double[] g = new double[101];
        double most = 0;
        for (int centre = Math.max(mode + 1, 16); centre <= 100; centre++) {
            double right = window[centre];
            for (int other = centre + 1; other <= 100; other++) {
                right = Math.max(right, window[other]);
            }
            if (right > window[centre]) {
                double low = window[centre] + 0.5;
                double high = right + 0.5;
                g[centre] = 2 * (low * Math.log(2 * low / (low + high)) + high * Math.log(2 * high / (low + high)));
            }
            most = Math.max(most, g[centre]);
        }
        int from = 0;
        int length = 0;
        for (int start = 16; most > 0 && start <= 100; start++) {
            int end = start;
            while (end <= 100 && g[end] >= 0.98 * most) {
                end++;
            }
            if (end - start > length) {
                from = start;
                length = end - start;
            }
        }
        return new double[] {length == 0 ? 0 : (from + (length - 1) / 2) / 100.0, most};
    }

    private static double falling(int bin) {
        return Math.floor(100_000 * Math.exp(-bin / 5.0));
    }

    private static double hill(int bin, int top, double width, double height) {
        double distance = (bin - top) / width;
        return Math.floor(height * Math.exp(-distance * distance / 2));
    }

    private static Valley.InBins counts(IntToDoubleFunction pairs) {
        double[] counts = IntStream.range(0, Valley.BINS)
                .mapToDouble(bin -> Math.floor(pairs.applyAsDouble(bin)))
                .toArray();
        return (from, to) -> Arrays.stream(counts, from, to).sum();
    }
}
