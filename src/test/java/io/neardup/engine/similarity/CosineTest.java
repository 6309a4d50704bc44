package io.neardup.engine.similarity;

import static io.neardup.engine.similarity.RandomTexts.bigText;
import static io.neardup.engine.similarity.RandomTexts.edited;
import static io.neardup.engine.similarity.RandomTexts.randomText;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The judges of SimHash: exact cosine, and the one that is estimated from bits. */
class CosineTest {
    private static final long SEED = 0x5EED;
    private static final DocumentFrequencies FREQUENCIES =
            DocumentFrequencies.of(1_000, Map.of("a", 900, "b", 250, "ab", 31, "ba", 1));

    @ParameterizedTest
    @ValueSource(strings = {"char:3", "char:9", "word:1", "word:3"})
    void shouldEqualTheCosineOfMaps(String spec) {
        shouldEqualTheCosineOfMaps(Shingler.of(spec, SEED), ShingleWeights.EQUAL);
    }

    @Test
    void shouldEqualTheCosineOfWeightedMaps() {
        Shingler words = Shingler.of("word:1", SEED);

        shouldEqualTheCosineOfMaps(words, FREQUENCIES.weights(words));
    }

    private static void shouldEqualTheCosineOfMaps(Shingler shingler, ShingleWeights weights) {
        SplittableRandom random = new SplittableRandom(shingler.name().hashCode());
        ExactCosine judge = new ExactCosine(shingler, weights);
        for (int i = 0; i < 150; i++) {
            String first = randomText(random);
            Evidence firstEvidence = evidence(first);
            Shingles a = shingles(first, shingler);
            for (int j = 0; j < 4; j++) {
                String second = j == 3 ? randomText(random) : edited(first, random);
                Evidence secondEvidence = evidence(second);
                Shingles b = shingles(second, shingler);

                Similarity similarity = judge.similarity(firstEvidence, secondEvidence);

                assertThat(similarity)
                        .isEqualTo(new Similarity(
                                NaiveCosine.of(a, b, weights),
                                NaiveCosine.share(a, b, weights),
                                NaiveCosine.share(b, a, weights)));
                assertThat(new ExactCosine(shingler, weights).similarity(secondEvidence, firstEvidence))
                        .isEqualTo(similarity.reversed());
            }
        }
    }

    @Test
    void shouldFindBagsOfTheSameWordsEqual() {
        Shingler words = Shingler.of("word:1", SEED);
        ExactCosine judge = new ExactCosine(words, FREQUENCIES.weights(words));

        assertThat(judge.similarity(evidence("a b ab c a"), evidence("a c, a: ab b")))
                .isEqualTo(Similarity.EQUAL);
    }

    @Test
    void shouldWeighRareWordsMore() {
        Shingler words = Shingler.of("word:1", SEED);
        ExactCosine weighted = new ExactCosine(words, FREQUENCIES.weights(words));
        Evidence text = evidence("a ba");

        double commonLost = weighted.similarity(text, evidence("b ba")).value();
        double rareLost = weighted.similarity(text, evidence("a ab")).value();

        assertThat(commonLost).isGreaterThan(0.8);
        assertThat(rareLost).isLessThan(0.1);
    }

    @Test
    void shouldJudgeTextsOfVeryDifferentLength() {
        Shingler shingler = Shingler.of("char:9", SEED);
        ExactCosine judge = new ExactCosine(shingler, ShingleWeights.EQUAL);
        String small = "the cat sat on the mat";
        String large = small + " " + bigText(60_000);
        Similarity expected = new Similarity(
                NaiveCosine.of(shingles(small, shingler), shingles(large, shingler), ShingleWeights.EQUAL),
                1,
                NaiveCosine.share(shingles(large, shingler), shingles(small, shingler), ShingleWeights.EQUAL));

        assertThat(judge.similarity(evidence(small), evidence(large))).isEqualTo(expected);
        assertThat(judge.similarity(evidence(large), evidence(small))).isEqualTo(expected.reversed());
        assertThat(judge.similarity(evidence(small), evidence(small))).isEqualTo(Similarity.EQUAL);
    }

    @Test
    void shouldForgetOneVectorForTheNext() {
        ExactCosine judge = new ExactCosine(Shingler.of("char:2", SEED), ShingleWeights.EQUAL);
        Evidence a = evidence("abcdef");
        Evidence b = evidence("uvwxyz");

        assertThat(judge.similarity(a, b)).isEqualTo(Similarity.NONE);
        assertThat(judge.similarity(b, b)).isEqualTo(Similarity.EQUAL);
        assertThat(judge.similarity(b, a)).isEqualTo(Similarity.NONE);
        assertThat(judge.similarity(a, evidence("abc")).ofSecond()).isEqualTo(1);
    }

    @Test
    void shouldJudgeSmallTextsAfterLargeOnes() {
        Shingler shingler = Shingler.of("char:9", SEED);
        ExactCosine judge = new ExactCosine(shingler, ShingleWeights.EQUAL);
        Evidence large = evidence(bigText(400_000));
        Evidence small = evidence("the cat sat on the mat");
        Evidence other = evidence("the red cat sat on the mat");
        Similarity expected = new ExactCosine(shingler, ShingleWeights.EQUAL).similarity(small, other);

        assertThat(judge.similarity(large, small)).isEqualTo(Similarity.NONE);
        assertThat(judge.similarity(small, other)).isEqualTo(expected);
        assertThat(judge.similarity(small, large)).isEqualTo(Similarity.NONE);
        assertThat(judge.similarity(small, other)).isEqualTo(expected);
        assertThat(expected.value()).isBetween(0.5, 0.9);
    }

    @Test
    void shouldNotMatchEmptyTexts() {
        ExactCosine judge = new ExactCosine(Shingler.of("char:9", SEED), ShingleWeights.EQUAL);

        assertThat(judge.similarity(evidence(""), evidence(""))).isEqualTo(Similarity.NONE);
        assertThat(judge.similarity(evidence(""), evidence("text"))).isEqualTo(Similarity.NONE);
        assertThat(judge.similarity(evidence("text"), evidence(""))).isEqualTo(Similarity.NONE);
    }

    /** A right angle is half of the bits; beyond it nothing is similar. */
    @ParameterizedTest
    @CsvSource({"0,1", "16,0.70710678", "32,0", "33,0", "64,0", "1,0.99879546"})
    void shouldTakeTheCosineOfTheShareOfBits(int different, double cosine) {
        long[] a = {0x0123456789ABCDEFL};
        long[] b = {a[0] ^ (different == 64 ? -1 : (1L << different) - 1)};

        Similarity similarity =
                new EstimatedCosine().similarity(EstimatedCosine.evidence(a), EstimatedCosine.evidence(b));

        assertThat(similarity.value()).isEqualTo(cosine, within(1e-8));
        assertThat(similarity.ofFirst()).isNaN();
        assertThat(similarity)
                .isEqualTo(new EstimatedCosine().similarity(EstimatedCosine.evidence(b), EstimatedCosine.evidence(a)));
    }

    @Test
    void shouldEstimateNearTheExactCosine() {
        Shingler shingler = Shingler.of("char:5", SEED);
        String first = bigText(3_000);
        String second = first.substring(600);
        SimHash simHash = new SimHash(1024, ShingleWeights.EQUAL);
        long[] a = simHash.sign(shingles(first, shingler));
        long[] b = simHash.sign(shingles(second, shingler));

        double estimate = new EstimatedCosine()
                .similarity(EstimatedCosine.evidence(a), EstimatedCosine.evidence(b))
                .value();
        double exact = new ExactCosine(shingler, ShingleWeights.EQUAL)
                .similarity(evidence(first), evidence(second))
                .value();

        // Four standard errors at 0.9.
        assertThat(estimate).isEqualTo(exact, within(0.06));
    }

    @ParameterizedTest
    @CsvSource({"8,16", "0,0", "12,12"})
    void shouldRefuseOtherEvidence(int bytesOfA, int bytesOfB) {
        Evidence a = Evidence.of(new byte[bytesOfA]);
        Evidence b = Evidence.of(new byte[bytesOfB]);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EstimatedCosine().similarity(a, b))
                .withMessageContaining("Evidence of " + bytesOfA + " and " + bytesOfB + " bytes");
    }

    private static Evidence evidence(String normalized) {
        return Evidence.of(normalized.getBytes(StandardCharsets.UTF_8));
    }

    private static Shingles shingles(String normalized, Shingler shingler) {
        Shingles shingles = new Shingles();
        shingler.shingle(normalized, shingles);
        return shingles;
    }
}
