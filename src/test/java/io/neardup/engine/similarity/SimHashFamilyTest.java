package io.neardup.engine.similarity;

import static io.neardup.engine.similarity.FamilyContract.sign;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.Shingling;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimHashFamilyTest {
    private static final long SEED = 0x5EED;
    private static final DocumentFrequencies FREQUENCIES =
            DocumentFrequencies.of(100, Map.of("the", 99, "of", 80, "rain", 2));

    private final Family exact = family("char:9", 256, null, Verification.EXACT);
    private final Family estimating = family("char:9", 256, null, Verification.ESTIMATE);

    @Nested
    class AsEveryFamily extends WordsContract {
        @Override
        Family family() {
            return SimHashFamilyTest.family("word:1", 256, null, Verification.EXACT);
        }
    }

    /** 1 - theta / pi. The other formula in use, 1 - 2 theta / pi, would give 1 / 3 at a cosine of 0.5. */
    @ParameterizedTest
    @CsvSource({"1,1", "0.9,0.856434", "0.8,0.795167", "0.5,0.666667", "0.25,0.580431", "0,0.5"})
    void shouldAgreeByTheAngle(double cosine, double agreement) {
        assertThat(exact.agreement(cosine)).isEqualTo(agreement, within(5e-7));
    }

    @ParameterizedTest
    @CsvSource({"4,16,90", "8,8,50"})
    void shouldMeetTextsAsTheCurveSays(int bands, int rows, int common) throws UnsignableException {
        SplittableRandom random = new SplittableRandom(bands * 100 + common);
        Family family = family("word:1", 64, null, Verification.ESTIMATE);
        TextSigner signer = family.signer(64, SEED);
        Banding banding = new Banding(bands, rows);
        int pairs = 2_000;
        int met = 0;
        for (int i = 0; i < pairs; i++) {
            String shared = words(random, 10 * common);
            int own = 1_000 - 10 * common;
            BandKeys a = banding.keys(sign(signer, shared + words(random, own)).values());
            BandKeys b = banding.keys(sign(signer, shared + words(random, own)).values());
            met += IntStream.range(0, bands).anyMatch(band -> a.key(band) == b.key(band)) ? 1 : 0;
        }
        double expected = banding.probability(family.agreement(common / 100.0));
        double deviation = Math.sqrt(expected * (1 - expected) / pairs);
        assertThat(met / (double) pairs).isEqualTo(expected, within(4.5 * deviation));
    }

    @Test
    void shouldSignWithSingleBits() throws UnsignableException {
        String text = "The cat sat on the mat, and the dog lay by the door.";
        int[] values = sign(exact.signer(256, SEED), text).values();
        assertThat(values).hasSize(256).containsOnly(0, 1);
        assertThat(sign(exact.signer(70, SEED), text).values()).isEqualTo(Arrays.copyOf(values, 70));
        assertThat(sign(estimating.signer(70, SEED), text).values()).isEqualTo(Arrays.copyOf(values, 70));
        assertThat(sign(exact.signer(256, SEED + 1), text).values()).isNotEqualTo(values);
        assertThat(sign(estimating.signer(70, SEED), text).evidence().bytes())
                .as("all bits, of which estimates are made")
                .hasSize(256 / 8);
        Family keeping = new SimHashFamily(new Shingling(LetterCase.KEEP, "char:9"), 64, null, Verification.EXACT);
        assertThat(sign(keeping.signer(64, SEED), "The Cat").evidence().bytes()).isEqualTo("The Cat".getBytes(UTF_8));
    }

    /** The number of 400 words to replace: with 400 shingles each, the cosine is 1 - lost / 400. */
    @ParameterizedTest
    @ValueSource(ints = {0, 20, 100, 200, 400})
    void shouldJudgeExactlyAndNearlySo(int lost) throws UnsignableException {
        SplittableRandom random = new SplittableRandom(lost);
        String shared = words(random, 400 - lost);
        String first = shared + words(random, lost);
        String second = shared + words(random, lost);
        Family judged = family("word:1", 1024, null, Verification.EXACT);
        Family estimated = family("word:1", 1024, null, Verification.ESTIMATE);

        assertThat(similarity(judged, first, second))
                .isEqualTo(similarity(judged, second, first))
                .isEqualTo(1 - lost / 400.0, within(1e-12));
        // Four standard errors and a little, at their widest.
        assertThat(similarity(estimated, first, second))
                .isEqualTo(similarity(estimated, second, first))
                .isEqualTo(1 - lost / 400.0, within(lost == 0 ? 0 : 0.2));
    }

    @Test
    void shouldWeighByDocumentFrequency() throws UnsignableException {
        Family plain = family("word:1", 64, null, Verification.EXACT);
        Family weighted = family("word:1", 64, FREQUENCIES, Verification.EXACT);

        assertThat(similarity(plain, "the rain", "of rain")).isEqualTo(0.5, within(1e-12));
        assertThat(similarity(weighted, "the rain", "of rain")).isGreaterThan(0.9);
        assertThat(similarity(weighted, "the rain", "the snow")).isLessThan(0.1);
        assertThat(sign(weighted.signer(64, SEED), "the rain").values())
                .isEqualTo(sign(plain.signer(64, SEED), "rain").values());
    }

    @Test
    void shouldShareWeightsOfOneSeedOnly() throws UnsignableException {
        Family weighted = family("word:1", 64, FREQUENCIES, Verification.EXACT);
        String text = "the rain of the day";
        sign(weighted.signer(64, SEED), text);
        for (long seed : new long[] {7, SEED}) {
            Family fresh = family("word:1", 64, FREQUENCIES, Verification.EXACT);
            assertThat(sign(weighted.signer(64, seed), text).values())
                    .isEqualTo(sign(fresh.signer(64, seed), text).values());
        }
    }

    @Test
    void shouldBindAnIndexToAllThatShapesIt() {
        assertThat(exact.identity())
                .containsEntry("shingle", "char:9")
                .doesNotContainKeys("simhash.bits", "simhash.frequencies");
        assertThat(estimating.identity()).containsEntry("simhash.bits", "256");
        assertThat(family("word:1", 64, FREQUENCIES, Verification.EXACT).identity())
                .containsEntry("simhash.frequencies", FREQUENCIES.fingerprint());
        Shingling keeping = new Shingling(LetterCase.KEEP, "word:1");
        assertThat(Stream.of(
                                new SimHashFamily(keeping, 128, null, Verification.EXACT),
                                family("word:2", 128, null, Verification.EXACT),
                                family("word:1", 64, null, Verification.ESTIMATE),
                                family("word:1", 128, FREQUENCIES, Verification.EXACT),
                                family("word:1", 128, null, Verification.ESTIMATE),
                                family("word:1", 128, null, Verification.EXACT))
                        .map(Family::identity))
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldSayWhatDoesNotFit() {
        Map<String, ThrowingCallable> refused = Map.of(
                "100 bits: expected a multiple of 64", () -> family("char:9", 100, null, Verification.EXACT),
                "tf-idf of shingles char:9: expected word:k",
                        () -> family("char:9", 64, FREQUENCIES, Verification.EXACT),
                "line 2: expected a term of as many words",
                        () -> family("word:1", 64, DocumentFrequencies.of(5, Map.of("in the", 1)), Verification.EXACT),
                "Similarity -0.01: expected 0 to 1", () -> exact.agreement(-0.01),
                "Similarity 1.01: expected 0 to 1", () -> exact.agreement(1.01),
                "Similarity NaN: expected 0 to 1", () -> exact.agreement(Double.NaN));
        refused.forEach((message, call) ->
                assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(message));
        assertThatExceptionOfType(UnsignableException.class)
                .isThrownBy(() -> sign(exact.signer(64, SEED), " \n "))
                .withMessageContaining("without shingles");
    }

    private static Family family(
            String shingle, int bits, @Nullable DocumentFrequencies frequencies, Verification verification) {
        return new SimHashFamily(new Shingling(LetterCase.LOWER, shingle), bits, frequencies, verification);
    }

    private static double similarity(Family family, String first, String second) throws UnsignableException {
        return FamilyContract.similarity(family, first, second).value();
    }

    private static String words(SplittableRandom random, int count) {
        return random.longs(count)
                .mapToObj(word -> Long.toString(word, 36).replace('-', 'z') + " ")
                .collect(Collectors.joining());
    }
}
