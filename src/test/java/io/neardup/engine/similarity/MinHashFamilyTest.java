package io.neardup.engine.similarity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.engine.text.CommonSets;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.Shingling;
import io.neardup.engine.text.StopWords;
import java.io.IOException;
import java.io.StringReader;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MinHashFamilyTest {
    private static final Shingling WORDS = new Shingling(LetterCase.LOWER, "word:2");

    /** The exact similarity, so that the agreement of signatures is compared with the truth. */
    @Nested
    class Exact extends FamilyContract {
        @Override
        Family family() {
            return new MinHashFamily(WORDS, Measure.JACCARD, Verification.EXACT);
        }
    }

    @Nested
    class ByEstimate extends Exact {
        @Override
        Family family() {
            return new MinHashFamily(WORDS, Measure.JACCARD, Verification.ESTIMATE);
        }

        @Override
        boolean seedShapesEvidence() {
            return true;
        }

        @Override
        boolean judgesBySignature() {
            return true;
        }
    }

    @Test
    void shouldTakeContainmentForTheJaccardSimilarityOfSetsOfOneSizeAndNotEstimateIt() {
        Family family = new MinHashFamily(WORDS, Measure.CONTAINMENT, Verification.EXACT);
        // Two sets of 10 that share 8: containment 8 / 10, Jaccard 8 / 12.
        assertThat(family.agreement(0.8)).isEqualTo(8 / 12.0, within(1e-15));
        assertThat(family.agreement(1)).isEqualTo(1);
        assertThat(family.agreement(0)).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MinHashFamily(WORDS, Measure.CONTAINMENT, Verification.ESTIMATE))
                .withMessageContaining("expected verification that is exact");
    }

    /** 24 shingles of a text, two of which do not count: only 22 are compared, but 24 are cut. */
    @Test
    void shouldLeaveOutCommonShinglesAfterTheLimitWasChecked() throws IOException, UnsignableException {
        BoilerplateShingles common =
                BoilerplateShingles.read(new StringReader(CommonSets.file("char:3", "5\tabc", "5\tbcd")));
        byte[] text = "ABCdefghijklmnopqrstuvwxyz".getBytes(UTF_8);
        byte[] other = "!!!defghijklmnopqrstuvwxyz".getBytes(UTF_8);
        Family family = characters(24, common);

        SignedText first = family.signer(100, 1).sign(text, 0, text.length);
        SignedText second = family.signer(100, 1).sign(other, 0, other.length);

        // Of 22 and 24 shingles 21 are shared: cde is not in the other, !!!, !!d and !de are not in this.
        assertThat(family.judge(100, 1)
                        .similarity(first.evidence(), second.evidence())
                        .value())
                .isEqualTo(21 / 25.0);
        assertThatThrownBy(() -> characters(23, common).signer(100, 1).sign(text, 0, text.length))
                .isInstanceOf(UnsignableException.class)
                .hasMessageContaining("at most 23 shingles, found 24");
    }

    private static Family characters(int shinglesMax, BoilerplateShingles common) {
        return new MinHashFamily(
                new Shingling(LetterCase.LOWER, "char:3", StopWords.all(), shinglesMax, common),
                Measure.JACCARD,
                Verification.EXACT);
    }
}
