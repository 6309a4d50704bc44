package io.neardup.engine.similarity;

import static io.neardup.engine.similarity.RandomTexts.bigText;
import static io.neardup.engine.similarity.RandomTexts.edited;
import static io.neardup.engine.similarity.RandomTexts.randomText;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What every judge of whole texts must do; a subclass says how to make one, and what it must find. */
abstract class ExactJudgeContract {
    /** A new one. */
    abstract SimilarityJudge judge(String spec);

    /** By the plain definition. */
    abstract Similarity expected(String spec, String first, String second);

    List<String> specs() {
        return List.of("char:9", "char:3", "word:1", "word:3");
    }

    private SimilarityJudge judge() {
        return judge(specs().get(0));
    }

    @Test
    void shouldEqualThePlainDefinition() {
        for (String spec : specs()) {
            SplittableRandom random = new SplittableRandom(spec.hashCode());
            SimilarityJudge judge = judge(spec);
            for (int i = 0; i < 150; i++) {
                String first = randomText(random);
                Evidence firstEvidence = ExactJudge.evidence(first);
                for (int j = 0; j < 4; j++) {
                    String second = j == 3 ? randomText(random) : edited(first, random);
                    Evidence secondEvidence = ExactJudge.evidence(second);
                    Similarity similarity = judge.similarity(firstEvidence, secondEvidence);
                    assertThat(similarity).as(spec).isEqualTo(expected(spec, first, second));
                    assertThat(judge(spec).similarity(secondEvidence, firstEvidence))
                            .isEqualTo(similarity.reversed());
                }
            }
        }
    }

    @Test
    void shouldJudgeTextsOfVeryDifferentLength() {
        SimilarityJudge judge = judge();
        String small = "the cat sat on the mat";
        String large = small + " " + bigText(60_000);
        Evidence ofSmall = ExactJudge.evidence(small);
        Evidence ofLarge = ExactJudge.evidence(large);
        Similarity expected = expected(specs().get(0), small, large);
        assertThat(judge.similarity(ofSmall, ofLarge)).isEqualTo(expected);
        assertThat(judge.similarity(ofLarge, ofSmall)).isEqualTo(expected.reversed());
        assertThat(judge.similarity(ofSmall, ofSmall)).isEqualTo(Similarity.EQUAL);
    }

    @Test
    void shouldJudgeSmallTextsAfterLargeOnes() {
        SimilarityJudge judge = judge();
        Evidence large = ExactJudge.evidence(bigText(400_000));
        Evidence small = ExactJudge.evidence("the cat sat on the mat");
        Evidence other = ExactJudge.evidence("the red cat sat on the mat");
        Similarity expected = judge().similarity(small, other);
        assertThat(expected.value()).isPositive().isLessThan(1);
        assertThat(judge.similarity(large, small)).isEqualTo(Similarity.NONE);
        assertThat(judge.similarity(small, other)).isEqualTo(expected);
        assertThat(judge.similarity(small, large)).isEqualTo(Similarity.NONE);
        assertThat(judge.similarity(small, other)).isEqualTo(expected);
    }

    @Test
    void shouldNotMatchEmptyTexts() {
        SimilarityJudge judge = judge();
        Evidence empty = ExactJudge.evidence("");
        Evidence text = ExactJudge.evidence("text");
        assertThat(List.of(
                        judge.similarity(empty, empty), judge.similarity(empty, text), judge.similarity(text, empty)))
                .containsOnly(Similarity.NONE);
    }
}
