package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.lsh.BandingSolver;
import java.util.Arrays;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ShingleFitTest {
    @Test
    void shouldFindTheDefaultBandsWhereAllPairsAreEquallySimilar() {
        ShingleFit fit = fit(0.02, 0.02, 0.02);

        assertThat(fit.banding()).isEqualTo(BandingSolver.solve(0.7, 0.99, 10_000_000, 0.02, 256));
        assertThat(fit.falseCandidates()).isCloseTo(0.832, within(5e-4));
        assertThat(fit.unrelatedSimilarity()).isCloseTo(0.02, within(1e-4));
        assertThat(fit.bytesPerDocument()).isEqualTo(65 + 1);
    }

    @Test
    void shouldTakeTheMeanOfTheCurveAndNotTheCurveOfTheMean() {
        double[] values = {0.01, 0.02, 0.3};

        ShingleFit fit = fit(values);

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
        ShingleFit fit = fit(0.02, 0.02, 0.7, 0.9, 1);

        assertThat(fit.falseCandidates()).isCloseTo(fit(0.02, 0.02).falseCandidates(), within(1e-9));
        assertThat(fit.duplicatePairs()).isEqualTo(3);
    }

    @Test
    void shouldNameTheOneSimilarityThatGivesAsManyFalseCandidates() {
        ShingleFit fit = fit(0.01, 0.05, 0.2);

        double same = BandingSolver.falseCandidates(fit.banding(), 10_000_000, fit.unrelatedSimilarity());
        assertThat(same).isBetween(fit.falseCandidates() * (1 - 1e-9), fit.falseCandidates() * 1.02);
    }

    @Test
    void shouldKeepThatSimilarityBelowTheThreshold() {
        assertThat(fit(0.699).unrelatedSimilarity()).isLessThan(0.7);
        assertThat(fit(0).unrelatedSimilarity()).isZero();
    }

    private static ShingleFit fit(double... similarities) {
        SimilarityCounts counts = new SimilarityCounts();
        Arrays.stream(similarities).forEach(similarity -> counts.add(similarity, 1));
        return ShingleFit.of("char:9", 0.7, counts, 7, TextLines.targets("char:9", OptionalLong.of(10_000_000)));
    }
}
