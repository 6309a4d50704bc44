package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.BandingSolver;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.Shingling;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ShingleFitTest {
    private static final TuningTargets TARGETS = targets(0.99, 10_000_000);

    @Test
    void shouldFindTheDefaultBandsWhereAllPairsAreEquallySimilar() {
        ShingleFit fit = fit(TARGETS, 0.02, 0.02, 0.02);

        assertThat(fit.banding()).isEqualTo(BandingSolver.solve(0.7, 0.99, 10_000_000, 0.02, 256));
        assertThat(fit.falseCandidates()).isCloseTo(0.832, within(5e-4));
        assertThat(fit.unrelatedSimilarity()).isCloseTo(0.02, within(1e-4));
        assertThat(fit.bytesPerDocument()).isEqualTo(65 + 1);
    }

    @Test
    void shouldTakeTheMeanOfTheCurveAndNotTheCurveOfTheMean() {
        double[] values = {0.01, 0.02, 0.3};

        ShingleFit fit = fit(TARGETS, values);

        int bands = fit.banding().bands();
        int rows = fit.banding().rows();
        double expected = Arrays.stream(values)
                        .map(similarity -> 1 - Math.pow(1 - Math.pow(similarity, rows), bands))
                        .average()
                        .orElseThrow()
                * 10_000_000;
        assertThat(fit.falseCandidates()).isCloseTo(expected, within(expected * 1e-6));
    }

    @Test
    void shouldNotCountCopiesAsUnrelated() {
        ShingleFit fit = fit(TARGETS, 0.02, 0.02, 0.7, 0.9, 1);

        assertThat(fit.falseCandidates()).isCloseTo(fit(TARGETS, 0.02, 0.02).falseCandidates(), within(1e-9));
        assertThat(fit.duplicatePairs()).isEqualTo(3);
    }

    @Test
    void shouldReachTheRecallWithTheFewestHashesThatLetAtTheMostOneThrough() {
        double[] unrelated =
                DoubleStream.iterate(0.001, s -> s + 0.0005).limit(200).toArray();

        ShingleFit fit = fit(targets(0.95, 100_000), unrelated);

        assertThat(fit.recall()).isGreaterThanOrEqualTo(0.95);
        assertThat(fit.falseCandidates()).isLessThanOrEqualTo(1);
        Banding fewerRows = new Banding(fit.banding().bands(), fit.banding().rows() - 1);
        assertThat(100_000
                        * Arrays.stream(unrelated)
                                .map(fewerRows::probability)
                                .average()
                                .orElseThrow())
                .isGreaterThan(1);
    }

    @Test
    void shouldNameTheOneSimilarityThatGivesAsManyFalseCandidates() {
        ShingleFit fit = fit(TARGETS, 0.01, 0.05, 0.2);

        double same = BandingSolver.falseCandidates(fit.banding(), 10_000_000, fit.unrelatedSimilarity());
        assertThat(same).isBetween(fit.falseCandidates() * (1 - 1e-9), fit.falseCandidates() * 1.02);
    }

    @Test
    void shouldKeepThatSimilarityBelowTheThreshold() {
        assertThat(fit(TARGETS, 0.699).unrelatedSimilarity()).isLessThan(0.7);
        assertThat(fit(TARGETS, 0).unrelatedSimilarity()).isZero();
    }

    private static TuningTargets targets(double recall, long indexSize) {
        return new TuningTargets(
                new Shingling(LetterCase.LOWER, "char:9"), 0.7, 0.02, recall, OptionalLong.of(indexSize));
    }

    private static ShingleFit fit(TuningTargets targets, double... similarities) {
        return ShingleFit.of("char:9", 0.7, counts(similarities), 7, targets);
    }

    private static SimilarityCounts counts(double... similarities) {
        SimilarityCounts counts = new SimilarityCounts();
        Arrays.stream(similarities).forEach(similarity -> counts.add(similarity, 1));
        return counts;
    }
}
