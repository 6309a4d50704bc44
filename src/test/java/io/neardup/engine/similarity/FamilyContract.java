package io.neardup.engine.similarity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.neardup.engine.text.NormalizedText;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every {@link Family} must do; a subclass says how to make one, and texts for it where words will not do. */
abstract class FamilyContract {
    private static final int TEXTS = 40;
    private static final int PAIRS = 400;
    private static final long SEED = 0x5EED;

    /** A new family, equal to every other that this method made. */
    abstract Family family();

    /** A text that the family can sign, unrelated to all others. */
    String text(SplittableRandom random) {
        return RandomTexts.words(random, 60);
    }

    /** An edited text, here with a new end: over many calls all similarities that matter should occur. */
    String edited(String text, SplittableRandom random) {
        String[] words = text.split(" ");
        int kept = random.nextInt(words.length);
        String beginning = String.join(" ", Arrays.asList(words).subList(0, kept));
        return (beginning + " " + RandomTexts.words(random, words.length - kept)).strip();
    }

    /** Whether evidence depends on the seed, so that only a judge of the same seed can read it. */
    boolean seedShapesEvidence() {
        return false;
    }

    /**
     * Whether the similarity is estimated from the signature itself, so that comparing it with the signature shows
     * nothing.
     */
    boolean judgesBySignature() {
        return false;
    }

    private int values() {
        return Math.min(64, family().valuesMax());
    }

    @Test
    void shouldStateFiguresThatFitTogetherAndItsIdentityAlikeEachTime() {
        Family family = family();
        assertThat(family.valuesMax()).isPositive();
        assertThat(family.defaultThreshold()).isPositive().isLessThanOrEqualTo(1);
        assertThat(family.defaultUnrelated()).isNotNegative().isLessThan(family.defaultThreshold());
        assertThat(family.material()).isNotNull();
        assertThat(family.identity()).isNotEmpty().isEqualTo(family().identity());
        assertThat(family.identity().values()).noneMatch(String::isBlank);
    }

    @Test
    void shouldAgreeMoreOftenTheMoreSimilar() {
        Family family = family();
        double[] agreements = IntStream.rangeClosed(0, 1_000)
                .mapToDouble(i -> family.agreement(i / 1e3))
                .toArray();

        assertThat(agreements).isSorted();
        assertThat(agreements[0]).isBetween(0.0, 1.0);
        assertThat(agreements[1_000]).isEqualTo(1);
    }

    @Test
    void shouldMakeAsManyValuesAsAsked() throws UnsignableException {
        Family family = family();
        String text = text(new SplittableRandom(1));
        for (int values : new int[] {1, (1 + family.valuesMax()) / 2, family.valuesMax()}) {
            assertThat(sign(family.signer(values, SEED), text).values()).hasSize(values);
        }
        for (int values : new int[] {-1, 0, family.valuesMax() + 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> family.signer(values, SEED))
                    .withMessageContaining(String.valueOf(values));
        }
    }

    @Test
    void shouldSignOneTextAlikeUnderOneSeed() throws UnsignableException {
        SplittableRandom random = new SplittableRandom(2);
        TextSigner used = family().signer(values(), SEED);
        SimilarityJudge judge = family().judge(values(), SEED);
        for (int i = 0; i < TEXTS; i++) {
            String text = text(random);
            SignedText signed = sign(used, text);
            SignedText again = sign(family().signer(values(), SEED), text);
            assertThat(signed.values()).containsExactly(again.values());
            assertThat(signed.evidence()).isEqualTo(again.evidence());
            assertThat(judge.similarity(signed.evidence(), again.evidence()).value())
                    .isEqualTo(1, within(1e-12));
            Evidence underAnother =
                    sign(family().signer(values(), SEED + 1), text).evidence();
            assertThat(seedShapesEvidence() || signed.evidence().equals(underAnother))
                    .isTrue();
        }
    }

    @Test
    void shouldSignOtherwiseUnderAnotherSeed() throws UnsignableException {
        String text = text(new SplittableRandom(3));
        long unlike = 0;
        for (int seed = 1; seed <= TEXTS; seed++) {
            int[] one = sign(family().signer(values(), seed), text).values();
            int[] other = sign(family().signer(values(), -seed), text).values();
            unlike += Arrays.equals(one, other) ? 0 : 1;
        }

        assertThat(unlike).isGreaterThan(TEXTS / 2);
    }

    @Test
    void shouldSignByItsOwnSeedWhateverSignerCameBefore() throws UnsignableException {
        String text = text(new SplittableRandom(6));
        Family shared = family();
        TextSigner first = shared.signer(values(), SEED);
        for (int values : new int[] {values(), 1}) {
            for (long seed : new long[] {SEED, SEED + 1, SEED}) {
                assertThat(sign(shared.signer(values, seed), text).values())
                        .containsExactly(
                                sign(family().signer(values, seed), text).values());
            }
        }
        assertThat(sign(first, text).values())
                .containsExactly(sign(family().signer(values(), SEED), text).values());
    }

    @Test
    void shouldSignATextInNormalizedFormAsItIsWhereItReadsNoOther() throws UnsignableException {
        assumeTrue(family().readsNormalizedText());
        SplittableRandom random = new SplittableRandom(12);
        TextSigner signer = family().signer(values(), SEED);
        for (int i = 0; i < TEXTS; i++) {
            String text = text(random);
            SignedText signed = sign(signer, text);
            byte[] kept = ("~7" + NormalizedText.of(text) + "7~").getBytes(UTF_8);

            SignedText again = signer.signNormalized(kept, 2, kept.length - 2);

            assertThat(again.values()).containsExactly(signed.values());
            assertThat(again.evidence()).isEqualTo(signed.evidence());
        }
    }

    @Test
    void shouldNeitherKeepNorChangeTheText() throws UnsignableException {
        SplittableRandom random = new SplittableRandom(5);
        TextSigner signer = family().signer(values(), SEED);
        for (int i = 0; i < TEXTS; i++) {
            byte[] utf8 = text(random).getBytes(UTF_8);
            byte[] given = utf8.clone();
            SignedText signed = signer.sign(given, 0, given.length);
            assertThat(given).isEqualTo(utf8);
            int[] values = signed.values().clone();
            byte[] evidence = signed.evidence().bytes().clone();

            Arrays.fill(given, (byte) '0');
            sign(signer, text(random));

            assertThat(signed.values()).containsExactly(values);
            assertThat(signed.evidence().bytes()).isEqualTo(evidence);
        }
    }

    @Test
    void shouldJudgeAlikeInEitherOrder() throws UnsignableException {
        SplittableRandom random = new SplittableRandom(7);
        TextSigner signer = family().signer(values(), SEED);
        SimilarityJudge judge = family().judge(values(), SEED);
        for (int i = 0; i < TEXTS; i++) {
            String text = text(random);
            Evidence a = sign(signer, text).evidence();
            Evidence b = sign(signer, edited(text, random)).evidence();

            Similarity similarity = judge.similarity(a, b);

            assertThat(similarity.value()).isBetween(0.0, 1.0);
            assertThat(judge.similarity(b, a)).isEqualTo(similarity.reversed());
            assertThat(family().judge(values(), SEED).similarity(a, b)).isEqualTo(similarity);
        }
    }

    /**
     * Over pairs of all similarities, each under its own seed. Pairs are grouped by tenths of the chance, so that
     * errors do not cancel.
     */
    @Test
    void shouldAgreeAsOftenAsItSays() throws UnsignableException {
        assumeFalse(judgesBySignature());
        SplittableRandom random = new SplittableRandom(8);
        double[] agreed = new double[11];
        double[] expected = new double[11];
        double[] variance = new double[11];
        for (int pair = 0; pair < PAIRS; pair++) {
            String text = text(random);
            TextSigner signer = family().signer(values(), pair);
            SignedText a = sign(signer, text);
            SignedText b = sign(signer, pair % 4 == 0 ? text(random) : edited(text, random));
            SimilarityJudge judge = family().judge(values(), pair);
            double agreement = family().agreement(
                            judge.similarity(a.evidence(), b.evidence()).value());
            int tenth = (int) (10 * agreement);
            agreed[tenth] += equalValues(a, b);
            expected[tenth] += values() * agreement;
            variance[tenth] += values() * agreement * (1 - agreement);
        }

        for (int tenth = 0; tenth <= 10; tenth++) {
            assertThat(agreed[tenth])
                    .as("values that agree at a chance from 0.%d on", tenth)
                    .isEqualTo(expected[tenth], within(4.5 * Math.sqrt(variance[tenth]) + 1e-9));
        }
    }

    static long equalValues(SignedText a, SignedText b) {
        return IntStream.range(0, a.values().length)
                .filter(i -> a.values()[i] == b.values()[i])
                .count();
    }

    /** Signs a text that stands between other bytes in its array. */
    static SignedText sign(TextSigner signer, String text) throws UnsignableException {
        byte[] utf8 = ("~7" + text + "7~").getBytes(UTF_8);
        return signer.sign(utf8, 2, utf8.length - 2);
    }

    static Similarity similarity(Family family, String a, String b) throws UnsignableException {
        TextSigner signer = family.signer(1, SEED);
        return family.judge(1, SEED)
                .similarity(sign(signer, a).evidence(), sign(signer, b).evidence());
    }
}
