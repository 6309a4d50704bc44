package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.text.NaiveShingles;
import io.neardup.engine.text.ShingleLists;
import io.neardup.engine.text.Shingler;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Signatures as random variables, over random pairs of sets: each position by itself, the spread, and each banding.
 * Each assertion fails for one choice of seeds in a million.
 */
class SketchStatisticsTest {
    private static final int SIZE = 130;
    private static final double RARE = 1e-6;
    /** A normal variable lies this many deviations above its mean once in a million. */
    private static final double RARE_DEVIATIONS = 4.753;

    private static final double SHARPER_MAX = 0.012;

    private static final List<Banding> BANDINGS = List.of(new Banding(26, 5), new Banding(16, 8), new Banding(5, 25));
    private static final Map<Case, Sample> SAMPLES = new ConcurrentHashMap<>();

    /**
     * Pairs of sets.
     *
     * @param size of the larger set
     * @param otherSize of the other one
     * @param common elements of both
     */
    record Case(int size, int otherSize, int common, int pairs) {
        double jaccard() {
            return common / (double) (size + otherSize - common);
        }
    }

    /** What was seen in the pairs of a case. */
    private static final class Sample {
        /** By position, in how many pairs the values are equal. */
        final int[] agreeing = new int[SIZE];
        /** By banding, how many pairs share a bucket. */
        final int[] met = new int[BANDINGS.size()];
        /** Of the estimates, all together. */
        double squaredErrors;
    }

    /** Of each size pairs of equal sizes, alike and less so, and one in the other. */
    static Stream<Case> cases() {
        return Stream.of(
                        "5,5,2,10000 5,5,4,10000 5,1,1,10000 20,20,8,8000 20,20,18,8000 20,10,10,8000 50,50,20,5000",
                        "50,50,45,5000 50,30,30,5000 500,500,200,2000 500,500,450,2000 500,400,400,2000",
                        "5000,5000,2000,300 5000,5000,4500,300 5000,4000,4000,300")
                .flatMap(cases -> Arrays.stream(cases.split(" ")))
                .map(of ->
                        Arrays.stream(of.split(",")).mapToInt(Integer::parseInt).toArray())
                .map(of -> new Case(of[0], of[1], of[2], of[3]));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldAgreeAtEveryPositionAsOftenAsTheSetsAreSimilar(Case of) {
        double expected = of.pairs() * of.jaccard();
        double variance = expected * (1 - of.jaccard());

        double chiSquare = Arrays.stream(sample(of).agreeing)
                .mapToDouble(agreeing -> (agreeing - expected) * (agreeing - expected) / variance)
                .sum();

        assertThat(chiSquare).isLessThan(rareChiSquare(SIZE));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldSpreadNoMoreThanIndependentFunctions(Case of) {
        double variance = of.jaccard() * (1 - of.jaccard()) / SIZE;

        double chiSquare = sample(of).squaredErrors / variance;

        assertThat(chiSquare).isLessThan(rareChiSquare(of.pairs()));
    }

    /**
     * The values of a signature are not quite independent, so the curve is slightly steeper than the S-curve: where
     * most pairs share a bucket somewhat more do, where few do somewhat fewer. The deviation is at most 0.012 (16 x 8,
     * similarity 0.8).
     */
    @ParameterizedTest
    @MethodSource("cases")
    void shouldShareBucketsAsTheCurveSaysOrSharper(Case of) {
        int[] met = sample(of).met;
        for (int i = 0; i < met.length; i++) {
            double probability = BANDINGS.get(i).probability(of.jaccard());
            String what = BANDINGS.get(i) + ": " + met[i] + " met with probability " + probability;

            double deviation = Math.sqrt(probability * (1 - probability) / of.pairs());
            assertThat(met[i] / (double) of.pairs())
                    .as(what)
                    .isEqualTo(probability, within(SHARPER_MAX + RARE_DEVIATIONS * deviation));
            if (probability > 0.6) {
                assertThat(atMost(met[i], of.pairs(), probability)).as(what).isGreaterThan(RARE);
            } else if (probability < 0.4) {
                int missed = of.pairs() - met[i];
                assertThat(atMost(missed, of.pairs(), 1 - probability)).as(what).isGreaterThan(RARE);
            }
        }
    }

    /** One pair of texts under many seeds: chance comes from the shingler's hash alone. */
    @ParameterizedTest
    @CsvSource({"char:5", "char:9", "word:1", "word:2"})
    void shouldEstimateTextsWithoutBiasOverTheSeeds(String spec) {
        int seeds = 5_000;
        String a = "the cat sat on the mat, and the dog lay by the door.";
        String b = "the red cat sat on the mat, and the dog lay by the old door.";
        double jaccard = NaiveShingles.jaccard(spec, a, b);
        FastSimilaritySketch scheme = new FastSimilaritySketch(SIZE);
        double sum = 0;
        for (int seed = 0; seed < seeds; seed++) {
            Shingler shingler = Shingler.of(spec, seed);
            sum += RandomTexts.estimate(
                    scheme.sign(ShingleLists.of(shingler, a)), scheme.sign(ShingleLists.of(shingler, b)));
        }
        double error = Math.sqrt(jaccard * (1 - jaccard) / SIZE / seeds);
        assertThat(sum / seeds).isEqualTo(jaccard, within(RARE_DEVIATIONS * error));
    }

    private static Sample sample(Case of) {
        return SAMPLES.computeIfAbsent(of, SketchStatisticsTest::draw);
    }

    private static Sample draw(Case of) {
        SplittableRandom random = new SplittableRandom(of.hashCode());
        FastSimilaritySketch scheme = new FastSimilaritySketch(SIZE);
        Sample sample = new Sample();
        for (int i = 0; i < of.pairs(); i++) {
            long[] elements =
                    random.longs(of.size() + of.otherSize() - of.common()).toArray();
            int[] a = scheme.sign(ShingleLists.of(Arrays.copyOf(elements, of.size())));
            int[] b = scheme.sign(
                    ShingleLists.of(Arrays.copyOfRange(elements, of.size() - of.common(), elements.length)));
            Arrays.setAll(sample.agreeing, at -> sample.agreeing[at] + (a[at] == b[at] ? 1 : 0));
            countMet(a, b, sample.met);
            double error = RandomTexts.estimate(a, b) - of.jaccard();
            sample.squaredErrors += error * error;
        }
        return sample;
    }

    private static void countMet(int[] a, int[] b, int[] met) {
        for (int i = 0; i < met.length; i++) {
            BandKeys keys = BANDINGS.get(i).keys(a);
            BandKeys others = BANDINGS.get(i).keys(b);
            boolean shared = IntStream.range(0, keys.bands()).anyMatch(band -> keys.key(band) == others.key(band));
            met[i] += shared ? 1 : 0;
        }
    }

    /**
     * A bound that a chi-square variable rarely exceeds, by the cube root approximation of Wilson and Hilferty (1931).
     */
    private static double rareChiSquare(int degrees) {
        double part = 2.0 / (9 * degrees);
        return degrees * Math.pow(1 - part + RARE_DEVIATIONS * Math.sqrt(part), 3);
    }

    /** The chance of at most so many successes in so many trials. */
    private static double atMost(int successes, int trials, double probability) {
        if (probability <= 0) {
            return 1;
        }
        double odds = Math.log(probability) - Math.log1p(-probability);
        double logarithm = trials * Math.log1p(-probability);
        double sum = Math.exp(logarithm);
        for (int i = 1; i <= successes; i++) {
            logarithm += Math.log((trials - i + 1) / (double) i) + odds;
            sum += Math.exp(logarithm);
        }
        return sum;
    }
}
