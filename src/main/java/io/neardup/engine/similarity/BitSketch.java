package io.neardup.engine.similarity;

import java.util.Arrays;

/**
 * A short stand-in for a signature: {@value #BITS} bits of each value, 16 values in 8 bytes. It tells cheaply how alike
 * two documents are likely to be; it proves nothing.
 *
 * <p>Where the signatures agree on a value with probability a, the sketches differ there with probability (1 - a)(1 -
 * 1/16), as unlike values have equal bits by chance (b-bit minwise hashing, Li and König, WWW 2010). Varies from the
 * paper: the bits are the highest of a product with an odd constant, not the lowest of the value, so that they depend
 * on all of it. Immutable.
 */
public final class BitSketch {
    /** Version of the bits; an index made with another cannot be read. */
    public static final int VERSION = 2;

    /**
     * Of how many values a sketch is made at least. With so many the cut for a threshold of 0.7 lies at an estimate of
     * 0.58, with the 130 that bands take by default at 0.54: look-alikes between the two need not be compared. With
     * more a sketch could take over 140 bytes in memory ({@link SketchTable}).
     */
    public static final int VALUES_MIN = 224;

    /** That of a document whose family makes none. */
    public static final BitSketch NONE = new BitSketch(new long[0]);

    /** How often a pair at the threshold may have more than {@link #differencesMax} differences. */
    static final double RARE = 1e-4;

    private static final int BITS = 4;
    private static final int VALUES_A_WORD = Long.SIZE / BITS;
    /** The chance that unlike values differ in their bits. */
    private static final double UNLIKE_DIFFER = 1 - 1.0 / (1 << BITS);

    private static final int MIXER = 0x9E3779B9;
    /** The lowest bit of each value. */
    private static final long LOWEST = 0x1111_1111_1111_1111L;

    private final long[] words;

    private BitSketch(long[] words) {
        this.words = words;
    }

    public static BitSketch of(int[] values) {
        long[] words = new long[(values.length + VALUES_A_WORD - 1) / VALUES_A_WORD];
        for (int i = 0; i < words.length; i++) {
            int from = i * VALUES_A_WORD;
            int many = Math.min(VALUES_A_WORD, values.length - from);
            long word = 0; // in a register: in the array each step would wait for the store of the last one
            for (int j = 0; j < many; j++) {
                int bits = (values[from + j] * MIXER) >>> (Integer.SIZE - BITS);
                word |= (long) bits << (BITS * j);
            }
            words[i] = word;
        }
        return new BitSketch(words);
    }

    /** The sketch that has these words, which nobody may change any more. */
    public static BitSketch owning(long[] words) {
        return words.length == 0 ? NONE : new BitSketch(words);
    }

    /** Whether it tells nothing. */
    public boolean isNone() {
        return words.length == 0;
    }

    public int words() {
        return words.length;
    }

    public long word(int i) {
        return words[i];
    }

    /** On how many values two sketches differ; of signatures of one length. */
    public int differences(BitSketch other) {
        requireWords(other.words.length);
        return differences(other.words, 0);
    }

    /** As {@link #differences(BitSketch)}, with the sketch whose words stand in an array from a place on. */
    int differences(long[] others, int from) {
        int differences = 0;
        for (int i = 0; i < words.length; i++) {
            differences += differences(words[i] ^ others[from + i]);
        }
        return differences;
    }

    /** In how many groups of {@value #BITS} bits any is set. */
    private static int differences(long xor) {
        long pairs = xor | xor >>> 1;
        return Long.bitCount((pairs | pairs >>> 2) & LOWEST);
    }

    void requireWords(int expected) {
        if (words.length != expected) {
            throw new IllegalArgumentException(
                    "a sketch: expected " + expected + " words, as the other has, found " + words.length);
        }
    }

    /**
     * The cut: a pair whose values agree with a probability has more differences than this at most once in {@code 1 /}
     * {@value #RARE} times. They are binomially distributed, or less spread.
     *
     * @param values of a signature
     * @param agreement the chance that two signatures agree on one value, 0 to 1
     * @return the least such number
     */
    public static int differencesMax(int values, double agreement) {
        int differences = 0;
        while (chanceWithin(values, agreement, differences) < 1 - RARE) {
            differences++;
        }
        return differences;
    }

    /**
     * The chance that two sketches have so many differences at the most, binomially distributed.
     *
     * @param values of a signature
     * @param agreement the chance that two signatures agree on one value, 0 to 1
     */
    public static double chanceWithin(int values, double agreement, int differencesMax) {
        double chance = (1 - agreement) * UNLIKE_DIFFER;
        if (chance <= 0) {
            return 1;
        }
        double logDiffer = Math.log(chance);
        double logAgree = Math.log1p(-chance);
        double logWays = 0;
        double within = 0;
        for (int differences = 0; differences <= Math.min(values, differencesMax); differences++) {
            within += Math.exp(logWays + differences * logDiffer + (values - differences) * logAgree);
            logWays += Math.log((values - differences) / (differences + 1.0));
        }
        return Math.min(1, within);
    }

    /**
     * The agreement that so many differences make likeliest: an estimate with a standard error of at most 0.54 / {@code
     * sqrt(values)}, none where there are no differences.
     *
     * @param values of a signature
     * @return the chance that two signatures agree on one value, 0 to 1
     */
    public static double agreement(int values, int differences) {
        return Math.max(0, 1 - differences / (values * UNLIKE_DIFFER));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BitSketch sketch && Arrays.equals(words, sketch.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }
}
