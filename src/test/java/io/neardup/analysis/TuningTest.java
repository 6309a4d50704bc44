package io.neardup.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.text.StopWords;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TuningTest {
    private static final TuningTargets TARGETS =
            new TuningTargets("char:9", StopWords.all(), 0.7, 0.99, 1_000_000, 256, 4);
    private static final AnalysisProgress UNHEARD = text -> {};

    @Test
    void shouldProposeTheShingleOfTheCheapestEditsAmongThoseThatTellApart() {
        List<ShingleFit> fits =
                List.of(fit("char:5", 0.17), fit("char:7", 0.13), fit("char:9", 0.1), fit("word:3", 0.001));

        assertThat(Tuning.proposal(fits).shingle()).isEqualTo("char:7");
    }

    @Test
    void shouldProposeTheFewestFalseCandidatesWhereNoneTellsApart() {
        List<ShingleFit> fits = List.of(fit("char:5", 0.3), fit("char:7", 0.4), fit("char:9", 0.5));

        assertThat(Tuning.proposal(fits).shingle()).isEqualTo("char:5");
    }

    @Test
    void shouldNotProposeWordsWithoutTheirOrder() {
        assertThat(Tuning.proposal(List.of(fit("word:1", 0.01), fit("char:9", 0.4)))
                        .shingle())
                .isEqualTo("char:9");
    }

    @Test
    void shouldTryTheShingleOfTheSettingsToo() {
        TuningTargets targets = new TuningTargets("word:4", StopWords.all(), 0.5, 0.99, 1_000_000, 256, 4);

        Tuning tuning = tune(Generated.documents(30, 1), targets).orElseThrow();

        assertThat(tuning.documents()).isEqualTo(30);
        assertThat(tuning.pairs() + tuning.related()).isEqualTo(30 * 29 / 2);
        assertThat(tuning.fits())
                .extracting(ShingleFit::shingle)
                .containsAll(Tuning.SHINGLES)
                .contains("word:4");
        assertThat(tuning.fits()).contains(tuning.proposal());
        assertThat(tuning.fits()).allSatisfy(fit -> assertThat(fit.recall()).isGreaterThanOrEqualTo(0.99 - 1e-9));
    }

    @Test
    void shouldLeaveOutShinglesThatCannotReachTheRecall() {
        TuningTargets targets = new TuningTargets("char:5", StopWords.all(), 0.2, 0.99, 1_000, 256, 4);

        assertThat(tune(Generated.documents(10, 1), targets).orElseThrow().fits())
                .extracting(ShingleFit::shingle)
                .contains("char:5")
                .doesNotContain("word:3");
    }

    @Test
    void shouldHaveNothingToMeasureWhereAllDocumentsAreAlike() {
        assertThat(tune(List.of("the same old story", "the same old story"), TARGETS))
                .isEmpty();
        assertThat(tune(List.of("alone"), TARGETS)).isEmpty();
    }

    @Test
    void shouldHoldABoundedAmountOfText() {
        List<String> texts = List.of("four", "five5", "six666", "seven77");

        assertThat(Tuning.within(22, texts)).isEqualTo(texts);
        assertThat(Tuning.within(21, texts)).containsExactly("four", "five5", "six666");
        assertThat(Tuning.within(1, texts)).containsExactly("four", "five5");
    }

    private static ShingleFit fit(String shingle, double unrelated) {
        return ShingleFit.of(shingle, Similarities.of(new double[] {unrelated}), TARGETS);
    }

    private static Optional<Tuning> tune(List<String> texts, TuningTargets targets) {
        return Tuning.of(texts, 50_000, 1, targets, UNHEARD);
    }
}
