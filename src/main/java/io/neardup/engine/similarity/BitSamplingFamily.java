package io.neardup.engine.similarity;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.neardup.engine.text.SplitMix64;
import java.util.HexFormat;
import java.util.Map;

/**
 * Strings of bits of one length, written in hexadecimal, such as perceptual hashes of pictures. Their similarity is the
 * share of bits that agree, 1 - Hamming distance / bits. Each value is the bit at a position drawn from the seed, with
 * replacement (Indyk and Motwani, STOC 1998). So two strings agree on it with a probability equal to their similarity.
 *
 * <p>The option {@code bits}, which must be set, says how many bits there are: a multiple of 4 from 8 to 65,536. The
 * evidence is the bits, eight a byte, the first digit in the high bits of the first byte.
 */
public final class BitSamplingFamily implements Family {
    /** Version of signatures and evidence; an index built with another cannot be compared with. */
    public static final int VERSION = 1;

    private static final int VALUES_MAX = 1024;
    private static final int BITS_MIN = 8;
    private static final int BITS_MAX = 65_536;
    private static final int BITS_PER_DIGIT = 4;

    private final int bits;

    /** @throws IllegalArgumentException when an option is missing, wrong or unknown; the message lists all of it */
    public BitSamplingFamily(Map<String, String> options) {
        Options read = new Options(options);
        this.bits = read.needed(
                "bits",
                "a multiple of " + BITS_PER_DIGIT + " from " + BITS_MIN + " to " + BITS_MAX,
                n -> n >= BITS_MIN && n <= BITS_MAX && n % BITS_PER_DIGIT == 0);
        read.check();
    }

    @Override
    public Map<String, String> identity() {
        return Map.of("signature.version", String.valueOf(VERSION), "family.bits", String.valueOf(bits));
    }

    @Override
    public int valuesMax() {
        return VALUES_MAX;
    }

    @Override
    public double agreement(double similarity) {
        return similarity;
    }

    @Override
    public double defaultThreshold() {
        return 0.9;
    }

    /** Random bits agree at half of the positions. */
    @Override
    public double defaultUnrelated() {
        return 0.5;
    }

    @Override
    public TextSigner signer(int values, long seed) {
        Family.requireValues(values, VALUES_MAX);
        int[] positions = positions(values, seed);
        return (utf8, from, to) -> {
            byte[] packed = packed(utf8, from, to);
            int[] sample = new int[positions.length];
            for (int i = 0; i < sample.length; i++) {
                sample[i] = packed[positions[i] / Byte.SIZE] >> (Byte.SIZE - 1 - positions[i] % Byte.SIZE) & 1;
            }
            return new SignedText(sample, Evidence.of(packed));
        };
    }

    private int[] positions(int values, long seed) {
        SplitMix64 draws = new SplitMix64(seed);
        int[] positions = new int[values];
        for (int i = 0; i < values; i++) {
            positions[i] = draws.below(bits);
        }
        return positions;
    }

    /** The bits of hexadecimal digits in either case, without regard to ASCII white space around them. */
    private byte[] packed(byte[] utf8, int from, int to) throws UnsignableException {
        String digits = new String(utf8, from, to - from, ISO_8859_1).trim();
        int expected = bits / BITS_PER_DIGIT;
        try {
            if (digits.length() == expected) {
                return HexFormat.of().parseHex(expected % 2 == 0 ? digits : digits + "0");
            }
        } catch (IllegalArgumentException e) {
            // Reported below, like another number of digits.
        }
        throw new UnsignableException("Expected " + bits + " bits as " + expected
                + " hexadecimal digits; found something else in " + digits.length() + " bytes");
    }

    private int bytes() {
        return (bits + Byte.SIZE - 1) / Byte.SIZE;
    }

    @Override
    public SimilarityJudge judge(int values, long seed) {
        return (a, b) -> {
            Evidence.requireLength(a, b, bytes());
            return Similarity.of((bits - hammingDistance(a.bytes(), b.bytes())) / (double) bits);
        };
    }

    private static int hammingDistance(byte[] a, byte[] b) {
        int distance = 0;
        for (int i = 0; i < a.length; i++) {
            distance += Integer.bitCount((a[i] ^ b[i]) & 0xFF);
        }
        return distance;
    }
}
