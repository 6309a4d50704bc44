package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.BandingSolver;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.ShingleLists;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingling;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShingleFitTest {
    private static final TuningTargets TARGETS = targets(0.99, 10_000_000, 256);

    @Test
    void shouldFindTheDefaultBandsWhereAllPairsAreEquallySimilar() {
        ShingleFit fit = fit(TARGETS, 0.02, 0.02, 0.02);

        assertThat(fit.banding()).isEqualTo(BandingSolver.solve(0.7, 0.99, 10_000_000, 0.02, 256));
        assertThat(fit.falseCandidates()).isCloseTo(0.832, within(5e-4));
        assertThat(fit.falseCandidates(1_000_000)).isCloseTo(0.0832, within(5e-5));
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

        ShingleFit fit = fit(targets(0.95, 100_000, 256), unrelated);

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

    private static TuningTargets targets(double recall, long indexSize, int hashesMax) {
        return new TuningTargets(
                new Shingling(LetterCase.LOWER, "char:9"), 0.7, 0.02, recall, OptionalLong.of(indexSize), hashesMax);
    }

    private static ShingleFit fit(TuningTargets targets, double... similarities) {
        return ShingleFit.of("char:9", 0.7, counts(similarities), 7, targets);
    }

    private static SimilarityCounts counts(double... similarities) {
        SimilarityCounts counts = new SimilarityCounts();
        Arrays.stream(similarities).forEach(similarity -> counts.add(similarity, 1));
        return counts;
    }

    // ---- what stands for the same editing

    private static final int WORDS = 12_000;

    @ParameterizedTest
    @CsvSource({"char:5,0.78", "char:7,0.74", "char:9,0.7", "char:12,0.64", "word:1,0.85", "word:2,0.72", "word:3,0.61"
    })
    void shouldTellWhatStandsForTheSameEditing(String shingle, double threshold) {
        assertThat(EditScale.equivalent("char:9", 0.7, shingle)).isEqualTo(threshold);
    }

    @Test
    void shouldStayAboveNothing() {
        assertThat(EditScale.equivalent("char:5", 0.1, "word:3")).isEqualTo(0.01);
        assertThat(EditScale.equivalent("char:5", 1, "word:3")).isEqualTo(1);
    }

    /** The replaced words stand so far apart that no shingle holds two of them, as the scale takes it. */
    @ParameterizedTest
    @CsvSource({"char:5", "char:9", "char:12", "word:1", "word:3", "word:1..3"})
    void shouldAgreeWithTextsOfWhichWordsAreReplaced(String kind) {
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder original = new StringBuilder();
        StringBuilder edited = new StringBuilder();
        for (int i = 0; i < WORDS; i++) {
            String word = word(random);
            original.append(word).append(' ');
            edited.append(i % 20 == 10 ? word(random) : word).append(' ');
        }

        double similarity =
                similarity(kind, original.toString().strip(), edited.toString().strip());

        assertThat(EditScale.editedWords(kind, similarity)).isCloseTo(1 / 20.0, within(0.004));
    }

    private static String word(SplittableRandom random) {
        StringBuilder word = new StringBuilder();
        random.ints(5, 'a', 'z' + 1).forEach(word::appendCodePoint);
        return word.toString();
    }

    private static double similarity(String kind, String a, String b) {
        return set(kind, a).jaccard(set(kind, b));
    }

    private static ShingleSet set(String kind, String text) {
        return ShingleSet.of(ShingleLists.of(Shingler.of(kind, 1), text));
    }
}
