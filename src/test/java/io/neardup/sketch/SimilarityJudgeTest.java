package io.neardup.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.neardup.text.CanonicalText;
import io.neardup.text.NaiveShingles;
import io.neardup.text.ShingleSet;
import io.neardup.text.Shingler;
import io.neardup.text.Shingles;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimilarityJudgeTest {
    private static final long SEED = 0x5EED;

    @ParameterizedTest
    @ValueSource(strings = {"char:3", "char:9", "word:1", "word:3"})
    void shouldEqualTheJaccardOfSetsOfStrings(String spec) {
        SplittableRandom random = new SplittableRandom(spec.hashCode());
        SimilarityJudge judge = new ExactJaccard(Shingler.of(spec, SEED));
        for (int i = 0; i < 150; i++) {
            String first = randomText(random);
            Evidence firstEvidence = ExactJaccard.evidence(first);
            for (int j = 0; j < 4; j++) {
                String second = j == 3 ? randomText(random) : edited(first, random);
                Evidence secondEvidence = ExactJaccard.evidence(second);

                double similarity = judge.similarity(firstEvidence, secondEvidence);

                assertThat(similarity).isEqualTo(NaiveShingles.jaccard(spec, first, second));
                assertThat(new ExactJaccard(Shingler.of(spec, SEED)).similarity(secondEvidence, firstEvidence))
                        .isEqualTo(similarity);
            }
        }
    }

    @Test
    void shouldJudgeTextsOfVeryDifferentLength() {
        SimilarityJudge judge = new ExactJaccard(Shingler.of("char:9", SEED));
        String small = "the cat sat on the mat";
        String large = small + " " + bigText(60_000);
        double expected = NaiveShingles.jaccard("char:9", small, large);

        assertThat(judge.similarity(ExactJaccard.evidence(small), ExactJaccard.evidence(large)))
                .isEqualTo(expected);
        assertThat(judge.similarity(ExactJaccard.evidence(large), ExactJaccard.evidence(small)))
                .isEqualTo(expected);
        assertThat(judge.similarity(ExactJaccard.evidence(small), ExactJaccard.evidence(small)))
                .isEqualTo(1);
    }

    @Test
    void shouldForgetOneTableForTheNext() {
        SimilarityJudge judge = new ExactJaccard(Shingler.of("char:2", SEED));
        Evidence a = ExactJaccard.evidence("abcdef");
        Evidence b = ExactJaccard.evidence("uvwxyz");

        assertThat(judge.similarity(a, b)).isZero();
        assertThat(judge.similarity(b, b)).isEqualTo(1);
        assertThat(judge.similarity(b, a)).isZero();
        assertThat(judge.similarity(a, a)).isEqualTo(1);
    }

    @Test
    void shouldNotMatchEmptyTexts() {
        SimilarityJudge judge = new ExactJaccard(Shingler.of("char:9", SEED));
        Evidence empty = ExactJaccard.evidence("");

        assertThat(judge.similarity(empty, empty)).isZero();
        assertThat(judge.similarity(empty, ExactJaccard.evidence("text"))).isZero();
    }

    @Test
    void shouldCountTheHashThatMarksFreeSlots() {
        HashTable table = new HashTable();
        table.load(shingles(0, 5, 0));

        assertThat(table.jaccard(shingles(0, 0, 6))).isEqualTo(1 / 3.0);
        assertThat(table.jaccard(shingles(6, 6))).isZero();
        assertThat(table.jaccard(shingles(5, 0))).isEqualTo(1);
    }

    @Test
    void shouldCountWhatIsRepeatedInEitherOnce() {
        SplittableRandom random = new SplittableRandom(9);
        for (int i = 0; i < 2_000; i++) {
            long[] a = random.longs(random.nextInt(40), 0, 12).toArray();
            HashTable table = new HashTable();
            table.load(shingles(a));
            for (int other = 0; other < 4; other++) {
                long[] b = random.longs(random.nextInt(80), 0, 6 + 8L * other).toArray();

                assertThat(table.jaccard(shingles(b)))
                        .isEqualTo(ShingleSet.of(shingles(a)).jaccard(ShingleSet.of(shingles(b))));
            }
        }
    }

    @Test
    void shouldEstimateFromTheBytesAsFromTheSignatures() {
        SignatureScheme scheme = new FastSimilaritySketch(128);
        Shingler shingler = Shingler.of("char:5", SEED);
        Shingles shingles = new Shingles();
        String text = bigText(3_000);
        shingler.shingle(text, shingles);
        Signature a = scheme.sign(shingles);
        shingler.shingle(text.substring(600), shingles);
        Signature b = scheme.sign(shingles);

        double similarity =
                new EstimatedJaccard().similarity(EstimatedJaccard.evidence(a), EstimatedJaccard.evidence(b));

        assertThat(similarity).isEqualTo(a.estimate(b)).isEqualTo(0.8, within(0.12));
        assertThat(EstimatedJaccard.evidence(Signature.of(new int[] {1, -2})).bytes())
                .containsExactly(0, 0, 0, 1, -1, -1, -1, -2);
    }

    @ParameterizedTest
    @CsvSource({"4,8", "0,0", "7,7"})
    void shouldRefuseBytesThatAreNoSignatures(int lengthOfA, int lengthOfB) {
        Evidence a = Evidence.of(new byte[lengthOfA]);
        Evidence b = Evidence.of(new byte[lengthOfB]);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EstimatedJaccard().similarity(a, b))
                .withMessageContaining(lengthOfA + " and " + lengthOfB + " bytes");
    }

    @Test
    void shouldCompareSignaturesOfOneSizeOnly() {
        Signature one = Signature.of(new int[] {1});
        Signature two = Signature.of(new int[] {1, 2});

        assertThat(two.estimate(Signature.of(new int[] {1, 3}))).isEqualTo(0.5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.estimate(two))
                .withMessageContaining("1 and 2 values");
    }

    @Test
    void shouldCopyTheValuesItIsMadeOf() {
        int[] values = {1, 2};
        Signature signature = Signature.of(values);
        values[0] = 9;

        assertThat(signature.values()).containsExactly(1, 2);
    }

    @Test
    void shouldNotShowTheDocument() {
        Evidence evidence = ExactJaccard.evidence("secret");

        assertThat(evidence).hasToString("Evidence[6 bytes]").isEqualTo(ExactJaccard.evidence("secret"));
    }

    private static String randomText(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(120);
        for (int i = 0; i < length; i++) {
            text.appendCodePoint("ab c\u00E9\u65B0\u3042.".codePointAt(random.nextInt(8)));
        }
        return CanonicalText.of(text.toString());
    }

    private static String edited(String text, SplittableRandom random) {
        int cut = random.nextInt(text.length() + 1);
        return CanonicalText.of(text.substring(0, cut) + "!" + text.substring(Math.min(text.length(), cut + 2)));
    }

    private static String bigText(int length) {
        SplittableRandom random = new SplittableRandom(length);
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }

    private static Shingles shingles(long... hashes) {
        Shingles shingles = new Shingles();
        for (long hash : hashes) {
            shingles.add(hash);
        }
        return shingles;
    }
}
