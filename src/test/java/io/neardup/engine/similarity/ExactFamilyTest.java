package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.neardup.engine.similarity.ExactFamily.Form;
import io.neardup.engine.text.LetterCase;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExactFamilyTest extends FamilyContract {
    private static final String CAT = "The cat sat on the mat.";

    @Override
    Family family() {
        return new ExactFamily(Form.NORMALIZED, LetterCase.LOWER);
    }

    @Override
    String text(SplittableRandom random) {
        return Texts.words(random, 1 + random.nextInt(60));
    }

    @Override
    String edited(String text, SplittableRandom random) {
        return random.nextBoolean() ? "  " + text.toUpperCase(Locale.ROOT) : text + "x";
    }

    @Test
    void shouldHaveTheSignatureOfNutchOverRawBytes() throws UnsignableException {
        assertThat(digest(Form.RAW, LetterCase.LOWER, CAT)).isEqualTo("eb46e86d8c31e68274676127c0ce1365");
    }

    /** Pinned: an index lives longer than a release. */
    @Test
    void shouldKeepItsValue() throws UnsignableException {
        Family family = new ExactFamily(Form.RAW, LetterCase.LOWER);

        assertThat(sign(family.signer(1, 42), CAT).values()).containsExactly(-1178413932);
    }

    @ParameterizedTest
    @CsvSource({
        "RAW,       LOWER, The  cat, false",
        "NORMALIZED, LOWER, The  cat, true",
        "NORMALIZED, LOWER, the cat,  true",
        "NORMALIZED, KEEP,  The  cat, true",
        "NORMALIZED, KEEP,  the cat,  false",
        "NORMALIZED, LOWER, the hat,  false",
    })
    void shouldCompareInItsForm(Form form, LetterCase letterCase, String text, boolean equal)
            throws UnsignableException {
        assertThat(digest(form, letterCase, text).equals(digest(form, letterCase, "The cat")))
                .isEqualTo(equal);
    }

    @ParameterizedTest
    @CsvSource({"RAW,''", "NORMALIZED,''", "NORMALIZED,'\t \u00A0'"})
    void shouldNotSignTextsWithoutCharacters(Form form, String text) {
        TextSigner signer = new ExactFamily(form, LetterCase.LOWER).signer(1, 1);

        assertThatExceptionOfType(UnsignableException.class)
                .isThrownBy(() -> sign(signer, text))
                .withMessage("Expected a text; found none, or white space alone");
    }

    @Test
    void shouldMixTheDigestIntoTheValue() throws UnsignableException {
        TextSigner signer = family().signer(1, 9);
        Set<Integer> values = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            values.add(sign(signer, "text " + i).values()[0]);
        }

        // 20,000 draws of 32 bits: 0.05 collisions expected.
        assertThat(values).hasSizeGreaterThan(19_997);
    }

    @Test
    void shouldKnowTheSharesOfEqualTextsAndOfUnlikeOnes() {
        SimilarityJudge judge = family().judge(1, 1);
        Evidence a = Evidence.of(new byte[16]);
        byte[] bytes = new byte[16];
        bytes[15] = 1;

        assertThat(judge.similarity(a, Evidence.of(new byte[16]))).isEqualTo(Similarity.EQUAL);
        assertThat(judge.similarity(a, Evidence.of(bytes))).isEqualTo(Similarity.NONE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> judge.similarity(a, Evidence.of(Arrays.copyOf(bytes, 15))))
                .withMessage("Evidence of 16 and 15 bytes: expected 16 of each");
    }

    @Test
    void shouldBindAnIndexToTheForm() {
        assertThat(family().identity())
                .containsEntry("exact.text", "NORMALIZED")
                .containsEntry("text.case", "LOWER")
                .isNotEqualTo(new ExactFamily(Form.NORMALIZED, LetterCase.KEEP).identity());
        assertThat(new ExactFamily(Form.RAW, LetterCase.LOWER).identity())
                .isEqualTo(new ExactFamily(Form.RAW, LetterCase.KEEP).identity());
    }

    private static String digest(Form form, LetterCase letterCase, String text) throws UnsignableException {
        TextSigner signer = new ExactFamily(form, letterCase).signer(1, 1);
        return HexFormat.of().formatHex(sign(signer, text).evidence().bytes());
    }
}
