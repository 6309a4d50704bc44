package io.neardup.engine.similarity;

import static io.neardup.engine.similarity.RandomTexts.bigText;
import static io.neardup.engine.similarity.RandomTexts.edited;
import static io.neardup.engine.similarity.RandomTexts.randomText;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.text.NaiveShingles;
import io.neardup.engine.text.Overlap;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimilarityJudgeTest {
    private static final long SEED = 0x5EED;

    @ParameterizedTest
    @ValueSource(strings = {"char:3", "char:9", "word:1", "word:3"})
    void shouldEqualTheJaccardOfSetsOfStrings(String spec) {
        SplittableRandom random = new SplittableRandom(spec.hashCode());
        SimilarityJudge judge = new ExactOverlap(Shingler.of(spec, SEED), Measure.JACCARD);
        SimilarityJudge byContainment = new ExactOverlap(Shingler.of(spec, SEED), Measure.CONTAINMENT);
        for (int i = 0; i < 150; i++) {
            String first = randomText(random);
            Evidence firstEvidence = ExactJudge.evidence(first);
            for (int j = 0; j < 4; j++) {
                String second = j == 3 ? randomText(random) : edited(first, random);
                Evidence secondEvidence = ExactJudge.evidence(second);

                Similarity similarity = judge.similarity(firstEvidence, secondEvidence);

                assertThat(similarity.value()).isEqualTo(NaiveShingles.jaccard(spec, first, second));
                assertThat(similarity.ofFirst()).isEqualTo(NaiveShingles.containment(spec, first, second));
                assertThat(similarity.ofSecond()).isEqualTo(NaiveShingles.containment(spec, second, first));
                assertThat(byContainment.similarity(firstEvidence, secondEvidence))
                        .isEqualTo(new Similarity(
                                Math.max(similarity.ofFirst(), similarity.ofSecond()),
                                similarity.ofFirst(),
                                similarity.ofSecond()));
                assertThat(new ExactOverlap(Shingler.of(spec, SEED), Measure.JACCARD)
                                .similarity(secondEvidence, firstEvidence))
                        .isEqualTo(similarity.reversed());
            }
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
                int kept = random.nextInt(text.length());
                Evidence second = ExactJudge.evidence(
                        text.substring(0, kept) + bigText(random.nextInt(4_000)).toUpperCase(Locale.ROOT));
                double threshold = random.nextDouble();
                Similarity expected = exact.similarity(first, second);

                Similarity similarity = judge.similarity(first, second, threshold);

                if (expected.value() >= threshold) {
                    assertThat(similarity).isEqualTo(expected);
                } else {
                    assertThat(similarity.value()).isLessThan(threshold);
                }
                assertThat(judge.similarity(first, second, expected.value())).isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldJudgeTextsOfVeryDifferentLength() {
        SimilarityJudge judge = new ExactOverlap(Shingler.of("char:9", SEED), Measure.JACCARD);
        String small = "the cat sat on the mat";
        String large = small + " " + bigText(60_000);
        double expected = NaiveShingles.jaccard("char:9", small, large);

        Evidence ofSmall = ExactJudge.evidence(small);
        Evidence ofLarge = ExactJudge.evidence(large);
        assertThat(judge.similarity(ofSmall, ofLarge).value()).isEqualTo(expected);
        assertThat(judge.similarity(ofLarge, ofSmall).value()).isEqualTo(expected);
        assertThat(judge.similarity(ofSmall, ofSmall)).isEqualTo(Similarity.EQUAL);
    }

    @Test
    void shouldForgetOneTableForTheNext() {
        SimilarityJudge judge = new ExactOverlap(Shingler.of("char:2", SEED), Measure.JACCARD);
        Evidence a = ExactJudge.evidence("abcdef");
        Evidence b = ExactJudge.evidence("uvwxyz");

        assertThat(judge.similarity(a, b)).isEqualTo(Similarity.NONE);
        assertThat(judge.similarity(b, b)).isEqualTo(Similarity.EQUAL);
        assertThat(judge.similarity(b, a)).isEqualTo(Similarity.NONE);
        assertThat(judge.similarity(a, a)).isEqualTo(Similarity.EQUAL);
    }

    @Test
    void shouldNotMatchEmptyTexts() {
        SimilarityJudge judge = new ExactOverlap(Shingler.of("char:9", SEED), Measure.JACCARD);
        Evidence empty = ExactJudge.evidence("");

        assertThat(judge.similarity(empty, empty)).isEqualTo(Similarity.NONE);
        assertThat(judge.similarity(empty, ExactJudge.evidence("text"))).isEqualTo(Similarity.NONE);
    }

    @Test
    void shouldCountTheHashThatMarksFreeSlots() {
        HashTable table = new HashTable();
        table.load(shingles(0, 5, 0));

        assertThat(overlap(table, 0, 0, 6)).isEqualTo(new Overlap(2, 2, 1));
        assertThat(overlap(table, 6, 6)).isEqualTo(new Overlap(2, 1, 0));
        assertThat(overlap(table, 5, 0)).isEqualTo(new Overlap(2, 2, 2));
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

                assertThat(overlap(table, b))
                        .isEqualTo(ShingleSet.of(shingles(a)).overlap(ShingleSet.of(shingles(b))));
            }
        }
    }

    @Test
    void shouldEstimateFromTheBytesAsFromTheSignatures() {
        FastSimilaritySketch scheme = new FastSimilaritySketch(128);
        Shingler shingler = Shingler.of("char:5", SEED);
        Shingles shingles = new Shingles();
        String text = bigText(3_000);
        EstimatedOverlap.Counter counter = new EstimatedOverlap.Counter();
        shingler.shingle(text, shingles);
        int[] a = scheme.sign(shingles);
        Evidence ofWhole = counter.evidence(shingles, a);
        shingler.shingle(text.substring(600), shingles);
        int[] b = scheme.sign(shingles);
        Evidence ofEnd = counter.evidence(shingles, b);

        Similarity similarity = new EstimatedOverlap().similarity(ofWhole, ofEnd);

        assertThat(similarity.value()).isEqualTo(RandomTexts.estimate(a, b)).isEqualTo(0.8, within(0.12));
        assertThat(similarity.ofFirst()).isEqualTo(0.8, within(0.1));
        assertThat(similarity.ofSecond()).isEqualTo(1, within(0.1));
        assertThat(EstimatedOverlap.evidence(258, new int[] {1, -2}).bytes())
                .containsExactly(0, 0, 1, 2, 0, 0, 0, 1, -1, -1, -1, -2);
    }

    @ParameterizedTest
    @CsvSource({"8,12", "0,0", "4,4", "7,7"})
    void shouldRefuseBytesThatAreNoSignatures(int lengthOfA, int lengthOfB) {
        Evidence a = Evidence.of(new byte[lengthOfA]);
        Evidence b = Evidence.of(new byte[lengthOfB]);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EstimatedOverlap().similarity(a, b))
                .withMessageContaining(lengthOfA + " and " + lengthOfB + " bytes");
    }

    @Test
    void shouldNotShowTheDocument() {
        Evidence evidence = ExactJudge.evidence("secret");

        assertThat(evidence).hasToString("Evidence[6 bytes]").isEqualTo(ExactJudge.evidence("secret"));
    }

    private static Overlap overlap(HashTable table, long... hashes) {
        return table.overlap(shingles(hashes), best -> true);
    }

    private static Shingles shingles(long... hashes) {
        Shingles shingles = new Shingles();
        for (long hash : hashes) {
            shingles.add(hash);
        }
        return shingles;
    }
}
