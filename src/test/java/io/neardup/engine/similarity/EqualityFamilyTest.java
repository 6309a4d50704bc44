package io.neardup.engine.similarity;

import static io.neardup.engine.similarity.FamilyContract.sign;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.neardup.engine.text.LetterCase;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EqualityFamilyTest {
    private static final String CAT = "The cat sat on the mat.";
    private static final Family BYTES = EqualityFamily.ofBytes();
    private static final Family PROFILE = EqualityFamily.ofProfile();
    private static final Family NORMALIZED = EqualityFamily.ofNormalizedText(LetterCase.LOWER);

    @Nested
    class OfNormalizedText extends FamilyContract {
        @Override
        Family family() {
            return EqualityFamily.ofNormalizedText(LetterCase.LOWER);
        }

        @Override
        String text(SplittableRandom random) {
            return RandomTexts.words(random, 1 + random.nextInt(60));
        }

        @Override
        String edited(String text, SplittableRandom random) {
            return random.nextBoolean() ? "  " + text.toUpperCase(Locale.ROOT) : text + "x";
        }
    }

    @Nested
    class OfProfile extends FamilyContract {
        @Override
        Family family() {
            return EqualityFamily.ofProfile();
        }

        @Override
        String text(SplittableRandom random) {
            return RandomTexts.words(random, 1 + random.nextInt(200));
        }

        @Override
        String edited(String text, SplittableRandom random) {
            return text + " " + RandomTexts.words(random, 1);
        }
    }

    /** The value is pinned: an index lives longer than a release. */
    @Test
    void shouldHaveTheSignatureOfNutchOverRawBytes() throws UnsignableException {
        assertThat(digest(BYTES, CAT)).isEqualTo("eb46e86d8c31e68274676127c0ce1365");
        assertThat(sign(BYTES.signer(1, 42), CAT).values()).containsExactly(-1178413932);
    }

    @ParameterizedTest
    @CsvSource({
        "LOWER, The  cat, true",
        "LOWER, the cat,  true",
        "KEEP,  The  cat, true",
        "KEEP,  the cat,  false",
        "LOWER, the hat,  false",
    })
    void shouldCompareNormalizedTexts(LetterCase letterCase, String text, boolean equal) throws UnsignableException {
        Family family = EqualityFamily.ofNormalizedText(letterCase);

        assertThat(digest(family, text).equals(digest(family, "The cat"))).isEqualTo(equal);
        assertThat(digest(BYTES, text)).isNotEqualTo(digest(BYTES, "The cat"));
    }

    @Test
    void shouldNotSignTextsWithoutCharacters() {
        for (Family family : List.of(BYTES, NORMALIZED, PROFILE)) {
            String text = family == NORMALIZED ? "\t \u00A0" : "";
            TextSigner signer = family.signer(1, 1);

            assertThatExceptionOfType(UnsignableException.class)
                    .isThrownBy(() -> sign(signer, text))
                    .withMessage("Expected a text; found none, or white space alone");
        }
    }

    @Test
    void shouldKnowTheSharesOfEqualTextsAndOfUnlikeOnes() {
        SimilarityJudge judge = NORMALIZED.judge(1, 1);
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
    void shouldTakeTheProfileForTheText() throws UnsignableException {
        assertThat(digest(PROFILE, "The red cat sat on the mat.")).isEqualTo("592325199d7e02121eaf3304d10cc681");
        assertThat(similarity(CAT, "the dog saw the bird")).isEqualTo(Similarity.of(1));
        assertThat(similarity(CAT, "the dog saw the dog")).isEqualTo(Similarity.of(0));
    }

    /** For all of these Nutch and Solr give d41d8cd98f00b204e9800998ecf8427e, the MD5 of nothing. */
    @Test
    void shouldCompareTextsWithoutATokenByteByByte() throws UnsignableException {
        assertThat(digest(PROFILE, "to be or")).isEqualTo("b5bf8be5543d8b14684f7d0fb18f1293");
        assertThat(similarity("to be or", "to be or")).isEqualTo(Similarity.of(1));
        assertThat(similarity("to be or", "to be 去重")).isEqualTo(Similarity.of(0));
        assertThat(similarity("...", "..")).isEqualTo(Similarity.of(0));
    }

    /** An index of 0.3.0 must find these names and values again. */
    @Test
    void shouldBindAnIndexToWhatIsCompared() {
        assertThat(BYTES.identity()).containsOnlyKeys("signature.version", "exact.text");
        assertThat(NORMALIZED.identity())
                .containsEntry("exact.text", "NORMALIZED")
                .containsEntry("text.case", "LOWER")
                .isNotEqualTo(EqualityFamily.ofNormalizedText(LetterCase.KEEP).identity());
        assertThat(PROFILE.identity()).containsOnlyKeys("signature.version", "textprofile.version");
    }

    private static Similarity similarity(String a, String b) throws UnsignableException {
        return FamilyContract.similarity(PROFILE, a, b);
    }

    private static String digest(Family family, String text) throws UnsignableException {
        return HexFormat.of()
                .formatHex(sign(family.signer(1, 1), text).evidence().bytes());
    }
}
