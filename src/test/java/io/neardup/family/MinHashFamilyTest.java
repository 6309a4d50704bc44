package io.neardup.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.neardup.sketch.Measure;
import io.neardup.sketch.Verification;
import io.neardup.text.LetterCase;
import io.neardup.text.Shingling;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MinHashFamilyTest {
    private static final Shingling WORDS = new Shingling(LetterCase.LOWER, "word:2");

    /** The exact similarity, so that the agreement of signatures is compared with the truth. */
    @Nested
    class Exact extends WordsContract {
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
    void shouldTakeContainmentForTheJaccardSimilarityOfSetsOfOneSize() {
        Family family = new MinHashFamily(WORDS, Measure.CONTAINMENT, Verification.EXACT);

        // Two sets of 10 that share 8: containment 8 / 10, Jaccard 8 / 12.
        assertThat(family.agreement(0.8)).isEqualTo(8 / 12.0, within(1e-15));
        assertThat(family.agreement(1)).isEqualTo(1);
        assertThat(family.agreement(0)).isZero();
    }

    @Test
    void shouldNotEstimateContainment() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MinHashFamily(WORDS, Measure.CONTAINMENT, Verification.ESTIMATE))
                .withMessageContaining("expected verification that is exact");
    }
}
