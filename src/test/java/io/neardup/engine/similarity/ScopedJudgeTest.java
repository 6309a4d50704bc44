package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScopedJudgeTest {
    /** A judge to which documents are the more similar, the more bytes they have in common. */
    private final SimilarityJudge judge = new ScopedJudge(
            (a, b) -> new Similarity((16 - Arrays.mismatch(a.bytes(), b.bytes())) / 16.0, a.bytes()[0], b.bytes()[0]));

    @Test
    void shouldJudgeDocumentsOfOneScopeByTheirOwnEvidenceAndFindNothingInCommonWhereAnyBitOfTheScopesDiffers() {
        Evidence a = ScopedJudge.within(new byte[16], Evidence.of(new byte[] {1, 2}));
        Evidence b = Evidence.of(new byte[] {1, 3});
        assertThat(judge.similarity(a, ScopedJudge.within(new byte[16], b))).isEqualTo(new Similarity(15 / 16.0, 1, 1));
        for (int i = 0; i < 16; i++) {
            byte[] other = new byte[16];
            other[i] = 1;
            assertThat(judge.similarity(a, ScopedJudge.within(other, b))).isEqualTo(Similarity.NONE);
        }
    }

    /** Judges keep the shingles of the first document as long as it is the same object. */
    @Test
    void shouldGiveTheJudgeTheSameFirstDocumentAgain() {
        List<Evidence> firsts = new ArrayList<>();
        SimilarityJudge recording = new ScopedJudge((a, b) -> {
            firsts.add(a);
            return Similarity.NONE;
        });
        Evidence asker = ScopedJudge.within(new byte[16], Evidence.of(new byte[] {1}));
        Evidence other = ScopedJudge.within(new byte[16], Evidence.of(new byte[] {2}));

        recording.similarity(asker, other);
        recording.similarity(asker, asker);
        recording.similarity(other, asker);

        assertThat(firsts.get(1)).isSameAs(firsts.get(0));
        assertThat(firsts.get(2)).isEqualTo(Evidence.of(new byte[] {2}));
    }

    @Test
    void shouldRefuseEvidenceWithoutAScope() {
        Evidence here = ScopedJudge.within(new byte[16], Evidence.of(new byte[0]));

        assertThatThrownBy(() -> judge.similarity(here, Evidence.of(new byte[15])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("evidence in a scope: expected at least 16 bytes, found 15");
        assertThatThrownBy(() -> ScopedJudge.within(new byte[8], here))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a scope: expected 16 bytes, found 8");
    }
}
