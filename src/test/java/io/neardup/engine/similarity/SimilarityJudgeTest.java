package io.neardup.engine.similarity;

import static io.neardup.engine.similarity.RandomTexts.bigText;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.text.NaiveShingles;
import io.neardup.engine.text.Overlap;
import io.neardup.engine.text.ShingleLists;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimilarityJudgeTest {
    private static final long SEED = 0x5EED;

    @Nested
    class OfJaccard extends ExactJudgeContract {
        @Override
        SimilarityJudge judge(String spec) {
            return new ExactOverlap(Shingler.of(spec, SEED), Measure.JACCARD);
        }

        @Override
        Similarity expected(String spec, String first, String second) {
            return new Similarity(
                    NaiveShingles.jaccard(spec, first, second),
                    NaiveShingles.containment(spec, first, second),
                    NaiveShingles.containment(spec, second, first));
        }
    }

    @Nested
    class OfContainment extends OfJaccard {
        @Override
        SimilarityJudge judge(String spec) {
            return new ExactOverlap(Shingler.of(spec, SEED), Measure.CONTAINMENT);
        }

        @Override
        Similarity expected(String spec, String first, String second) {
            Similarity of = super.expected(spec, first, second);
            return new Similarity(Math.max(of.ofFirst(), of.ofSecond()), of.ofFirst(), of.ofSecond());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveUpOnlyWhereTheThresholdIsOutOfReach(Measure measure) {
        SplittableRandom random = new SplittableRandom(1);
        SimilarityJudge judge = new ExactOverlap(Shingler.of("char:5", SEED), measure);
        SimilarityJudge exact = new ExactOverlap(Shingler.of("char:5", SEED), measure);
        for (int i = 0; i < 300; i++) {
            String text = bigText(50 + random.nextInt(4_000));
            Evidence first = ExactJudge.evidence(text);
            for (int j = 0; j < 4; j++) {
                String more = bigText(random.nextInt(4_000)).toUpperCase(Locale.ROOT);
                Evidence second = ExactJudge.evidence(text.substring(0, random.nextInt(text.length())) + more);
                double threshold = random.nextDouble();
                Similarity expected = exact.similarity(first, second);
                Similarity similarity = judge.similarity(first, second, threshold);
                assertThat(similarity.equals(expected) || similarity.value() < threshold)
                        .isTrue();
                assertThat(expected.value() < threshold || similarity.equals(expected))
                        .isTrue();
                assertThat(judge.similarity(first, second, expected.value())).isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldCountWhatIsRepeatedInEitherOnce() {
        SplittableRandom random = new SplittableRandom(9);
        for (int i = 0; i < 2_000; i++) {
            Shingles a = ShingleLists.of(random.longs(random.nextInt(40), 0, 12).toArray());
            HashTable table = new HashTable();
            table.load(a);
            for (int other = 0; other < 4; other++) {
                long[] b = random.longs(random.nextInt(80), 0, 6 + 8L * other).toArray();
                assertThat(overlap(table, b)).isEqualTo(ShingleSet.of(a).overlap(ShingleSet.of(ShingleLists.of(b))));
            }
        }
    }

    @Test
    void shouldEstimateFromTheBytesAsFromTheSignatures() {
        FastSimilaritySketch scheme = new FastSimilaritySketch(128);
        Shingler shingler = Shingler.of("char:5", SEED);
        String text = bigText(3_000);
        Shingles whole = ShingleLists.of(shingler, text);
        Shingles end = ShingleLists.of(shingler, text.substring(600));
        int[] a = scheme.sign(whole);
        int[] b = scheme.sign(end);
        int all = ShingleSet.of(whole).size();
        int some = ShingleSet.of(end).size();
        Similarity similarity = MinHashFamily.estimate(MinHashFamily.evidence(all, a), MinHashFamily.evidence(some, b));
        assertThat(similarity.value()).isEqualTo(RandomTexts.estimate(a, b)).isEqualTo(0.8, within(0.12));
        assertThat(similarity.ofFirst()).isEqualTo(0.8, within(0.1));
        assertThat(similarity.ofSecond()).isEqualTo(1, within(0.1));
        assertThat(MinHashFamily.evidence(258, new int[] {1, -2}).bytes())
                .containsExactly(0, 0, 1, 2, 0, 0, 0, 1, -1, -1, -1, -2);
    }

    @Test
    void shouldNotShowTheDocument() {
        Evidence evidence = ExactJudge.evidence("secret");

        assertThat(evidence).hasToString("Evidence[6 bytes]").isEqualTo(ExactJudge.evidence("secret"));
    }

    private static Overlap overlap(HashTable table, long... hashes) {
        return table.overlap(ShingleLists.of(hashes), best -> true);
    }

    // ---- within scopes

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
