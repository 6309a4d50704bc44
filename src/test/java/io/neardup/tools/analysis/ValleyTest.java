package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void shouldBeTheMiddleOfAnEmptyStretch() {
        Valley.InBins counts = counts(bin -> bin < 30 ? 1_000 : bin >= 70 && bin < 90 ? 20 : 0);

        // Windows of eight bins from 0.34 to 0.66 are empty.
        assertThat(Valley.of(counts).orElseThrow().threshold()).isEqualTo(0.5);
    }

    @Test
    void shouldNotBeWherePairsOnlyFall() {
        assertThat(Valley.of(counts(ValleyTest::falling))).isEmpty();
        assertThat(Valley.of((from, to) -> 0)).isEmpty();
    }

    @Test
    void shouldNotBeMadeByNearlyEqualCopies() {
        assertThat(Valley.of(counts(bin -> falling(bin) + (bin >= 97 ? 500 : 0))))
                .isEmpty();
        assertThat(Valley.of(counts(bin -> falling(bin) + (bin == 96 ? 500 : 0))))
                .isPresent();
    }

    @Test
    void shouldNotBeSoughtBeforeTheBulkNorBelow16Hundredths() {
        Valley valley = Valley.of(counts(bin -> hill(bin, 14, 2, 50) + hill(bin, 40, 5, 5_000) + hill(bin, 85, 5, 90)))
                .orElseThrow();

        assertThat(valley.bulk()).isCloseTo(0.4, within(0.03));
        assertThat(valley.threshold()).isBetween(0.5, 0.75);
        assertThat(Valley.of(counts(bin -> bin < 12 ? 900 : bin > 17 && bin < 30 ? 50 : 0))
                        .orElseThrow()
                        .threshold())
                .isEqualTo(0.16);
    }

    @Test
    void shouldTakeTheUnrelatedForTheBulkHoweverUnlikeTheyAre() {
        Valley.InBins counts = counts(bin -> bin < 6 ? 10_000 : hill(bin, 60, 6, 50));

        assertThat(Valley.of(counts).orElseThrow().threshold()).isBetween(0.2, 0.45);
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3", "4", "5", "6", "7", "8"})
    void shouldBeWhatTheRuleSaysWordByWord(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] pairs = new long[SimilarityCounts.BINS];
        Valley.InBins counts = counts(bin ->
                pairs[bin] = (long) ((falling(bin) + hill(bin, random.nextInt(40, 95), 5, 40)) * random.nextDouble()));

        double[] expected = bruteForce(pairs);

        assertThat(Valley.of(counts).map(Valley::threshold).orElse(0.0)).isEqualTo(expected[0]);
        assertThat(Valley.of(counts).map(Valley::depth).orElse(0.0)).isCloseTo(expected[1], within(1e-9));
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
        double[] counts = IntStream.range(0, SimilarityCounts.BINS)
                .mapToDouble(bin -> Math.floor(pairs.applyAsDouble(bin)))
                .toArray();
        return (from, to) -> Arrays.stream(counts, from, to).sum();
    }
}
