package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BitSamplingFamilyTest extends FamilyContract {
    private static final int BITS = 252;

    @Override
    Family family() {
        return family(BITS);
    }

    private static Family family(int bits) {
        return new BitSamplingFamily(Map.of("bits", String.valueOf(bits)));
    }

    @Override
    String text(SplittableRandom random) {
        return digits(random, BITS);
    }

    @Override
    String edited(String text, SplittableRandom random) {
        return flipped(text, random.nextInt(BITS / 2), random);
    }

    private static String digits(SplittableRandom random, int bits) {
        return IntStream.range(0, bits / 4)
                .mapToObj(i -> Integer.toHexString(random.nextInt(16)))
                .collect(Collectors.joining());
    }

    /** The digits with this many different bits flipped. */
    private static String flipped(String digits, int count, SplittableRandom random) {
        List<Integer> positions =
                IntStream.range(0, 4 * digits.length()).boxed().collect(Collectors.toList());
        Collections.shuffle(positions, new Random(random.nextLong()));
        BigInteger number = new BigInteger(digits, 16);
        for (int i = 0; i < count; i++) {
            number = number.flipBit(positions.get(i));
        }
        String flipped = number.toString(16);
        return "0".repeat(digits.length() - flipped.length()) + flipped;
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 12, 64, 252, 4096})
    void shouldEqualTheShareOfEqualBits(int bits) throws UnsignableException {
        SplittableRandom random = new SplittableRandom(bits);
        for (int i = 0; i < 200; i++) {
            String a = digits(random, bits);
            String b = i % 2 == 0 ? digits(random, bits) : flipped(a, random.nextInt(bits + 1), random);
            int unequal = new BigInteger(a, 16).xor(new BigInteger(b, 16)).bitCount();

            assertThat(similarity(bits, a, b)).isEqualTo(Similarity.of((bits - unequal) / (double) bits));
        }
    }

    /** As a threshold of .93 is written. */
    @Test
    void shouldRoundOnce() throws UnsignableException {
        assertThat(similarity(100, "7f" + "0".repeat(23), "0".repeat(25))).isEqualTo(Similarity.of(0.93));
    }

    @Test
    void shouldSampleEveryPosition() throws UnsignableException {
        TextSigner signer = family(64).signer(1_024, 5);
        List<Integer> sampled = new ArrayList<>();
        for (int position = 0; position < 64; position++) {
            String one = String.format(Locale.ROOT, "%016x", 1L << position);
            sampled.add(Arrays.stream(sign(signer, one).values()).sum());
        }
        assertThat(sampled.stream().mapToInt(times -> times).sum()).isEqualTo(1_024);
        // 1,024 draws of 64: 16 each, give or take 4.
        assertThat(sampled).allMatch(times -> times > 0 && times < 40);
    }

    /** Pinned: an index lives longer than a release. */
    @Test
    void shouldKeepItsValues() throws UnsignableException {
        assertThat(sign(family(64).signer(16, 42), "0123456789abcdef").values())
                .containsExactly(1, 1, 1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 0);
    }

    @Test
    void shouldReadDigitsInEitherCaseWithSpaceAround() throws UnsignableException {
        assertThat(similarity(16, "AbcD", " \t\r\nabcd\n ")).isEqualTo(Similarity.of(1));
        assertThat(sign(family(12).signer(1, 1), "fa1").evidence().bytes()).containsExactly(0xFA, 0x10);
    }

    @ParameterizedTest
    @CsvSource({"'', 0", "'  ', 0", "abc, 3", "abcde, 5", "ab d, 4", "0x12, 4", "\u0663\u0664, 4", "abcg, 4"})
    void shouldNotSignOtherTexts(String text, String found) {
        TextSigner signer = family(16).signer(8, 1);
        assertThatExceptionOfType(UnsignableException.class)
                .isThrownBy(() -> sign(signer, text))
                .withMessage("Expected 16 bits as 4 hexadecimal digits; found something else in " + found + " bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "4", "10", "65540", "-8", "8.0", "many", ""})
    void shouldRefuseOtherNumbersOfBits(String bits) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BitSamplingFamily(Map.of("bits", bits)))
                .withMessage("neardup.family.bits=" + bits + ": expected a multiple of 4 from 8 to 65536");
    }

    @Test
    void shouldRefuseOtherEvidence() throws UnsignableException {
        var evidence = sign(family(16).signer(1, 1), "abcd").evidence();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> family(64).judge(1, 1).similarity(evidence, evidence))
                .withMessage("Evidence of 2 and 2 bytes: expected 8 of each");
    }

    private static Similarity similarity(int bits, String a, String b) throws UnsignableException {
        return similarity(family(bits), a, b);
    }
}
