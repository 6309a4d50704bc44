package io.neardup.engine.similarity;

import static io.neardup.engine.similarity.FamilyContract.sign;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.Shingling;
import java.util.Arrays;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SimHashFamilyTest {
    private static final long SEED = 0x5EED;
    /** The last two are the words that texts of the contract have most often. */
    private static final DocumentFrequencies FREQUENCIES =
            DocumentFrequencies.of(100, Map.of("the", 99, "of", 80, "rain", 2, "jodhhjlb", 95, "dmgopdgc", 50));

    private final Family exact = family("char:9", null, Verification.EXACT);
    private final Family estimating = family("char:9", null, Verification.ESTIMATE);

    @Nested
    class AsEveryFamily extends FamilyContract {
        @Override
        Family family() {
            return SimHashFamilyTest.family("word:1", null, Verification.EXACT);
        }
    }

    @Nested
    class Weighted extends FamilyContract {
        @Override
        Family family() {
            return SimHashFamilyTest.family("word:1", FREQUENCIES, Verification.EXACT);
        }
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
                .hasSize(1024 / 8);
        Family keeping = new SimHashFamily(new Shingling(LetterCase.KEEP, "char:9"), null, Verification.EXACT);
        assertThat(sign(keeping.signer(64, SEED), "The Cat").evidence().bytes()).isEqualTo("The Cat".getBytes(UTF_8));
    }

    @Test
    void shouldWeighByDocumentFrequency() throws UnsignableException {
        Family plain = family("word:1", null, Verification.EXACT);
        Family weighted = family("word:1", FREQUENCIES, Verification.EXACT);

        assertThat(similarity(plain, "the rain", "of rain")).isEqualTo(0.5, within(1e-12));
        assertThat(similarity(weighted, "the rain", "of rain")).isGreaterThan(0.9);
        assertThat(similarity(weighted, "the rain", "the snow")).isLessThan(0.1);
        assertThat(sign(weighted.signer(64, SEED), "the rain").values())
                .isEqualTo(sign(plain.signer(64, SEED), "rain").values());
    }

    @Test
    void shouldBindAnIndexToAllThatShapesIt() {
        assertThat(exact.identity())
                .containsEntry("shingle", "char:9")
                .doesNotContainKeys("simhash.bits", "simhash.frequencies");
        assertThat(estimating.identity()).containsEntry("simhash.bits", "1024");
        assertThat(family("word:1", FREQUENCIES, Verification.EXACT).identity())
                .containsEntry("simhash.frequencies", FREQUENCIES.fingerprint());
    }

    @Test
    void shouldSayWhatDoesNotFit() {
        Map<String, ThrowingCallable> refused = Map.of(
                "tf-idf of shingles char:9: expected word:k", () -> family("char:9", FREQUENCIES, Verification.EXACT),
                "line 2: expected a term of as many words",
                        () -> family("word:1", DocumentFrequencies.of(5, Map.of("in the", 1)), Verification.EXACT),
                "Similarity -0.01: expected 0 to 1", () -> exact.agreement(-0.01),
                "Similarity 1.01: expected 0 to 1", () -> exact.agreement(1.01),
                "Similarity NaN: expected 0 to 1", () -> exact.agreement(Double.NaN));
        refused.forEach((message, call) ->
                assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(message));
        assertThatExceptionOfType(UnsignableException.class)
                .isThrownBy(() -> sign(exact.signer(64, SEED), " \n "))
                .withMessageContaining("without shingles");
    }

    private static Family family(String shingle, @Nullable DocumentFrequencies frequencies, Verification verification) {
        return new SimHashFamily(new Shingling(LetterCase.LOWER, shingle), frequencies, verification);
    }

    private static double similarity(Family family, String first, String second) throws UnsignableException {
        return FamilyContract.similarity(family, first, second).value();
    }
}
