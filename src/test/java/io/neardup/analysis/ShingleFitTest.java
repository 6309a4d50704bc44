package io.neardup.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.neardup.lsh.Banding;
import io.neardup.lsh.BandingSolver;
import io.neardup.text.StopWords;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ShingleFitTest {
    private static final TuningTargets TARGETS =
            new TuningTargets("char:9", StopWords.all(), 0.7, 0.99, 10_000_000, 256, 4);

    @Test
    void shouldFindTheDefaultBandsWhereAllPairsAreEquallySimilar() {
        ShingleFit fit = ShingleFit.of("char:9", similarities(0.02, 0.02, 0.02), TARGETS);

        assertThat(fit.banding()).isEqualTo(BandingSolver.solve(0.7, 0.99, 10_000_000, 0.02, 256));
        assertThat(fit.falseCandidates()).isCloseTo(0.832, within(5e-4));
        assertThat(fit.falseCandidatesError()).isCloseTo(0, within(1e-6));
        assertThat(fit.unrelatedSimilarity()).isCloseTo(0.02, within(1e-4));
        assertThat(fit.bytesPerDocument()).isEqualTo(12 * 26 + 14 * 4);
    }

    @Test
    void shouldTakeTheMeanOfTheCurveAndNotTheCurveOfTheMean() {
        double[] values = {0.01, 0.02, 0.3};

        ShingleFit fit = ShingleFit.of("char:9", similarities(values), TARGETS);

        int bands = fit.banding().bands();
        int rows = fit.banding().rows();
        double expected = Arrays.stream(values)
                        .map(similarity -> 1 - Math.pow(1 - Math.pow(similarity, rows), bands))
                        .average()
                        .orElseThrow()
                * 10_000_000;
        assertThat(fit.falseCandidates()).isCloseTo(expected, within(expected * 1e-6));
        assertThat(fit.falseCandidatesError()).isGreaterThan(expected / 2);
    }

    @Test
    void shouldReachTheRecallWithTheFewestHashesThatLetAtTheMostOneThrough() {
        Similarities unrelated = similarities(
                DoubleStream.iterate(0.001, s -> s + 0.0005).limit(200).toArray());
        TuningTargets targets = new TuningTargets("char:9", StopWords.all(), 0.7, 0.95, 100_000, 256, 4);

        ShingleFit fit = ShingleFit.of("char:9", unrelated, targets);

        assertThat(fit.recall()).isGreaterThanOrEqualTo(0.95);
        assertThat(fit.falseCandidates()).isLessThanOrEqualTo(1);
        Banding fewerRows = new Banding(fit.banding().bands(), fit.banding().rows() - 1);
        assertThat(100_000 * unrelated.mean(fewerRows.curve()::probability)).isGreaterThan(1);
    }

    @Test
    void shouldNameTheOneSimilarityThatGivesAsManyFalseCandidates() {
        ShingleFit fit = ShingleFit.of("char:9", similarities(0.01, 0.05, 0.2), TARGETS);

        double same = BandingSolver.falseCandidates(fit.banding(), 10_000_000, fit.unrelatedSimilarity());
        assertThat(same).isBetween(fit.falseCandidates() * (1 - 1e-9), fit.falseCandidates() * 1.02);
    }

    @Test
    void shouldKeepThatSimilarityBelowTheThreshold() {
        assertThat(ShingleFit.of("char:9", similarities(1), TARGETS).unrelatedSimilarity())
                .isEqualTo(0.6999);
        assertThat(ShingleFit.of("char:9", similarities(0), TARGETS).unrelatedSimilarity())
                .isZero();
    }

    @Test
    void shouldTellApartWhatIsFarBelowTheThreshold() {
        assertThat(ShingleFit.of("char:9", similarities(0.13), TARGETS).isTellingApart())
                .isTrue();
        assertThat(ShingleFit.of("char:9", similarities(0.15), TARGETS).isTellingApart())
                .isFalse();
    }

    @Test
    void shouldSayWhatCannotBeReached() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShingleFit.of(
                        "char:9",
                        similarities(0),
                        new TuningTargets("char:9", StopWords.all(), 0.1, 0.99, 1_000, 20, 4)))
                .withMessageContaining("cannot be reached with 20 hashes");
    }

    private static Similarities similarities(double... values) {
        return Similarities.of(values);
    }
}
