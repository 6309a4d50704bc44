package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.text.ShingleLists;
import java.util.Arrays;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BitSketchTest {
    private static final int VALUES = 130;
    private static final double BY_CHANCE = 1.0 / 16;

    @ParameterizedTest
    @CsvSource({"0", "1", "15", "16", "17", "130", "256"})
    void shouldCountTheValuesThatDifferAsOneByOne(int values) {
        Random random = new Random(values);
        for (int i = 0; i < 200; i++) {
            int[] a = random.ints(values).toArray();
            int[] b = Arrays.stream(a)
                    .map(value -> random.nextBoolean() ? value : random.nextInt())
                    .toArray();

            int differences = BitSketch.of(a).differences(BitSketch.of(b));

            assertThat(differences).isEqualTo((int) IntStream.range(0, values)
                    .filter(k -> bits(a[k]) != bits(b[k]))
                    .count());
            assertThat(BitSketch.of(b).differences(BitSketch.of(a))).isEqualTo(differences);
        }
    }

    private static int bits(int value) {
        return (value * 0x9E3779B9) >>> 28;
    }

    /** The layout is kept in every index. */
    @Test
    void shouldPackSixteenValuesAWord() {
        BitSketch sketch = BitSketch.of(IntStream.range(0, 18).toArray());
        assertThat(sketch.words()).isEqualTo(2);
        assertThat(Long.toHexString(sketch.word(0))).isEqualTo(word(0, 16));
        assertThat(Long.toHexString(sketch.word(1))).isEqualTo(word(16, 18));
        assertThat(BitSketch.owning(new long[] {sketch.word(0), sketch.word(1)}))
                .isEqualTo(sketch);
        assertThat(BitSketch.of(new int[0]).isNone()).isTrue();
        assertThat(BitSketch.of(new int[1]).isNone()).isFalse();
    }

    private static String word(int from, int to) {
        return IntStream.rangeClosed(1, to - from)
                .mapToObj(i -> Integer.toHexString(bits(to - i)))
                .collect(Collectors.joining());
    }

    /** Sets of any size, small ones too, of which many values of a signature come from few shingles. */
    @ParameterizedTest
    @CsvSource({"5, 4, 40000", "30, 21, 40000", "300, 210, 20000", "2000, 1400, 4000"})
    void shouldSpreadNoMoreThanTheBinomialThatTheCutIsOf(int union, int common, int pairs) {
        SplittableRandom random = new SplittableRandom(union);
        FastSimilaritySketch scheme = new FastSimilaritySketch(VALUES);
        double jaccard = common / (double) union;
        double chance = (1 - jaccard) * (1 - BY_CHANCE);
        int cut = BitSketch.differencesMax(VALUES, jaccard);
        double sum = 0;
        double squares = 0;
        int beyond = 0;
        double estimates = 0;

        for (int i = 0; i < pairs; i++) {
            long[] elements = random.longs(union).toArray();
            int onlyA = (union - common) / 2;
            int differences =
                    sketch(scheme, elements, 0, onlyA + common).differences(sketch(scheme, elements, onlyA, union));
            sum += differences;
            squares += (double) differences * differences;
            estimates += BitSketch.agreement(VALUES, differences);
            beyond += differences > cut ? 1 : 0;
        }

        assertThat(estimates / pairs).isEqualTo(jaccard, within(5 * 0.54 / Math.sqrt((double) VALUES * pairs)));
        double mean = sum / pairs;
        double variance = squares / pairs - mean * mean;
        double binomial = VALUES * chance * (1 - chance);
        assertThat(mean).isEqualTo(VALUES * chance, within(5 * Math.sqrt(binomial / pairs)));
        // The error of a variance of a near normal variable is its square root of 2 over the number.
        assertThat(variance).isLessThan(binomial * (1 + 5 * Math.sqrt(2.0 / pairs)));
        assertThat((double) beyond).isLessThan(pairs * BitSketch.RARE + 5 * Math.sqrt(pairs * BitSketch.RARE) + 1);
    }

    private static BitSketch sketch(FastSimilaritySketch scheme, long[] elements, int from, int to) {
        return BitSketch.of(scheme.sign(ShingleLists.of(Arrays.copyOfRange(elements, from, to))));
    }

    @ParameterizedTest
    @CsvSource({"130, 1, 0", "130, 0, 130", "1, 0.5, 1", "2, 0.99999, 0"})
    void shouldCutAndEstimateAtTheEnds(int values, double agreement, int differencesMax) {
        assertThat(BitSketch.differencesMax(values, agreement)).isEqualTo(differencesMax);
        assertThat(BitSketch.agreement(values, 0)).isEqualTo(1);
        assertThat(BitSketch.agreement(values, values)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"130, 0.7", "130, 0.8", "80, 0.5", "256, 0.9"})
    void shouldCutAtTheLeastNumberThatTheTailAllows(int values, double agreement) {
        int cut = BitSketch.differencesMax(values, agreement);

        double chance = (1 - agreement) * (1 - BY_CHANCE);
        assertThat(tailBeyond(values, chance, cut)).isLessThanOrEqualTo(BitSketch.RARE);
        assertThat(BitSketch.chanceWithin(values, agreement, cut / 2))
                .isCloseTo(1 - tailBeyond(values, chance, cut / 2), within(1e-12));
        assertThat(tailBeyond(values, chance, cut - 1)).isGreaterThan(BitSketch.RARE);
    }

    /** By adding up the distribution of one trial after the other. */
    private static double tailBeyond(int trials, double chance, int most) {
        double[] distribution = new double[trials + 1];
        distribution[0] = 1;
        for (int trial = 1; trial <= trials; trial++) {
            for (int k = trial; k > 0; k--) {
                distribution[k] = distribution[k] * (1 - chance) + distribution[k - 1] * chance;
            }
            distribution[0] *= 1 - chance;
        }
        return Arrays.stream(distribution, most + 1, trials + 1).sum();
    }
}
