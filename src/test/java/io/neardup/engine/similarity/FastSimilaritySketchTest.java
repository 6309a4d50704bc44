package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.SCurve;
import io.neardup.engine.text.Shingles;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FastSimilaritySketchTest {
    private static final int[] OF_MANY = {
        2100646698, -53898723, 1513898418, 469916311, -1165590895, 973268136, -1211527632, 195671984
    };
    private static final int[] OF_TWO = {
        -1429681902, -1301876477, -1314678564, -517087356, 644114695, 803958421, -1298126498, -1339525198
    };
    private static final int[] OF_ONE = {
        -1429681902, 1787097706, -1314678564, -11651856, -2123562426, 803958421, -320112021, -1339525198
    };
    private static final int SIZE = 130;

    /** Pairs of sets with {@code common} of {@code union} hashes in both, the rest shared out evenly. */
    @ParameterizedTest
    @CsvSource({
        "1,9,4000",
        "3,7,4000",
        "5,5,4000",
        "4,36,2000",
        "16,24,2000",
        "14,6,2000",
        "5,95,2000",
        "35,15,2000",
        "45,5,2000",
        "50,450,1000",
        "250,250,1000",
        "350,150,1000",
        "500,4500,200",
        "3500,1500,200",
        "4500,500,200",
    })
    void shouldEstimateWithoutBiasAndWithinTheVariance(int common, int different, int pairs) {
        SplittableRandom random = new SplittableRandom(common * 31L + different);
        FastSimilaritySketch scheme = new FastSimilaritySketch(SIZE);
        double jaccard = common / (double) (common + different);
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < pairs; i++) {
            Signature[] pair = pair(scheme, random, common, different);
            double error = pair[0].estimate(pair[1]) - jaccard;
            sum += error;
            squares += error * error;
        }

        double variance = jaccard * (1 - jaccard) / SIZE;
        assertThat(sum / pairs).isEqualTo(0, within(4.5 * Math.sqrt(variance / pairs)));
        // The spread of a sample variance is about sqrt(2 / pairs).
        assertThat(squares / pairs).isLessThan(variance * (1 + 4.5 * Math.sqrt(2.0 / pairs)));
    }

    /** Positions must be independent enough for bands: as many pairs share a bucket as the S-curve says. */
    @ParameterizedTest
    @CsvSource({
        "2,3,4000",
        "3,2,4000",
        "4,1,4000",
        "8,12,4000",
        "10,10,4000",
        "14,6,4000",
        "25,25,3000",
        "35,15,3000",
        "200,300,1500",
        "250,250,1500",
        "300,200,1500",
        "2000,3000,300",
        "2500,2500,300",
    })
    void shouldShareBucketsAsTheCurveSays(int common, int different, int pairs) {
        SplittableRandom random = new SplittableRandom(common * 17L + different);
        FastSimilaritySketch scheme = new FastSimilaritySketch(SIZE);
        Banding banding = new Banding(26, 5);
        int met = 0;
        for (int i = 0; i < pairs; i++) {
            Signature[] pair = pair(scheme, random, common, different);
            met += shareABucket(banding.keys(pair[0].values()), banding.keys(pair[1].values())) ? 1 : 0;
        }

        double expected = new SCurve(26, 5).probability(common / (double) (common + different));
        double deviation = Math.sqrt(expected * (1 - expected) / pairs);
        assertThat(met / (double) pairs).isEqualTo(expected, within(4.5 * deviation));
    }

    @Test
    void shouldNotDependOnOrderOrRepeats() {
        SplittableRandom random = new SplittableRandom(3);
        FastSimilaritySketch scheme = new FastSimilaritySketch(SIZE);
        for (int n : new int[] {1, 2, 7, 90, 700}) {
            long[] hashes = random.longs(n).toArray();
            Shingles backwardsTwice = new Shingles();
            for (int i = 2 * n - 1; i >= 0; i--) {
                backwardsTwice.add(hashes[i % n]);
            }

            assertThat(scheme.sign(backwardsTwice)).isEqualTo(scheme.sign(shingles(hashes)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 64, 128, 130, 255, 256})
    void shouldFillEveryPositionDifferently(int size) {
        FastSimilaritySketch scheme = new FastSimilaritySketch(size);

        Signature one = scheme.sign(shingles(0x123456789ABCDEFL));

        assertThat(one.size()).isEqualTo(size).isEqualTo(scheme.size());
        assertThat(Arrays.stream(one.values()).distinct().count()).isEqualTo(size);
        assertThat(scheme.name()).isEqualTo("fss:" + size);
    }

    @Test
    void shouldMixTheValuesOfUnlikeSets() {
        SplittableRandom random = new SplittableRandom(4);
        FastSimilaritySketch scheme = new FastSimilaritySketch(SIZE);
        Set<Integer> values = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            Arrays.stream(scheme.sign(shingles(random.longs(2_000).toArray())).values())
                    .forEach(values::add);
        }

        // 130,000 draws of 32 bits: 1.97 collisions expected.
        assertThat(values).hasSizeGreaterThan(1_000 * SIZE - 12);
    }

    @Test
    void shouldTakeEveryHash() {
        FastSimilaritySketch scheme = new FastSimilaritySketch(SIZE);

        for (long extreme : new long[] {0, -1, 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThat(scheme.sign(shingles(extreme)).estimate(scheme.sign(shingles(extreme))))
                    .isEqualTo(1);
        }
    }

    @Test
    void shouldKeepItsValues() {
        long[] hashes = new SplittableRandom(42).longs(1_000).toArray();

        assertThat(new FastSimilaritySketch(8).sign(shingles(hashes)).values()).containsExactly(OF_MANY);
        assertThat(new FastSimilaritySketch(8)
                        .sign(shingles(hashes[0], hashes[1]))
                        .values())
                .containsExactly(OF_TWO);
        assertThat(new FastSimilaritySketch(8).sign(shingles(hashes[0])).values())
                .containsExactly(OF_ONE);
    }

    @Test
    void shouldRefuseNoShingles() {
        FastSimilaritySketch scheme = new FastSimilaritySketch(SIZE);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> scheme.sign(new Shingles()))
                .withMessageContaining("expected at least 1");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 257})
    void shouldRefuseOtherSizes(int size) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FastSimilaritySketch(size))
                .withMessageContaining(size + " values: expected 1 to 256");
    }

    private static boolean shareABucket(BandKeys a, BandKeys b) {
        for (int band = 0; band < a.bands(); band++) {
            if (a.key(band) == b.key(band)) {
                return true;
            }
        }
        return false;
    }

    private static Signature[] pair(SignatureScheme scheme, SplittableRandom random, int common, int different) {
        Shingles a = shingles(random.longs(common).toArray());
        Shingles b = new Shingles();
        for (int i = 0; i < common; i++) {
            b.add(a.hash(i));
        }
        for (int i = 0; i < different; i++) {
            (i % 2 == 0 ? a : b).add(random.nextLong());
        }
        return new Signature[] {scheme.sign(a), scheme.sign(b)};
    }

    private static Shingles shingles(long... hashes) {
        Shingles shingles = new Shingles();
        for (long hash : hashes) {
            shingles.add(hash);
        }
        return shingles;
    }
}
