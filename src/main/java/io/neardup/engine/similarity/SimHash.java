package io.neardup.engine.similarity;

import io.neardup.engine.text.Shingles;
import java.util.Arrays;

/**
 * SimHash (Charikar, Similarity estimation techniques from rounding algorithms, STOC 2002): each bit says on which side
 * of a random hyperplane a text's weight vector lies. Two texts agree on a bit with probability 1 - theta / pi, theta
 * being the angle between their vectors. (1 - 2 theta / pi, which is sometimes given, is the correlation of the bits.)
 *
 * <p>The features are the shingles, repeats included, so that a feature weighs its term frequency. The hyperplanes'
 * components are not Gaussian but +1 and -1, bits of the features' hashes. So the agreement holds in the limit of many
 * features of like weight. It is exact for equal vectors and, in the mean, for orthogonal ones of any size.
 *
 * <p>An even number of features may sum to 0. Such a tie is decided by a bit that the least feature hash gives. Similar
 * texts mostly share that feature, unlike ones do not, so ties neither favour a side nor make unlike texts agree. Sums
 * are of whole numbers: the bits depend on the features and not on their order.
 */
public final class SimHash {
    /** Version of the bits; an index built with another cannot be compared with. */
    public static final int VERSION = 1;

    public static final int BITS_MAX = 1024;

    private static final long TIE_SALT = 0x6A09E667F3BCC909L;

    private final long[] ties;
    private final Majority majority;
    private long[] words = new long[0];

    /**
     * Hashes of a number of bits. Not safe for use by several threads.
     *
     * @param bits 64 to 1024, a multiple of 64; the bits of a shorter hash begin a longer one
     */
    public SimHash(int bits, ShingleWeights weights) {
        this.ties = new long[requireWidth(bits) / Long.SIZE];
        this.majority = weights.areEqual() ? new ColumnCounts() : new WeightedCounts(weights);
    }

    /**
     * A number of bits that a hash can have.
     *
     * @throws IllegalArgumentException when it cannot
     */
    public static int requireWidth(int bits) {
        if (bits < Long.SIZE || bits > BITS_MAX || bits % Long.SIZE != 0) {
            throw new IllegalArgumentException(
                    "SimHash of " + bits + " bits: expected a multiple of 64 from 64 to " + BITS_MAX);
        }
        return bits;
    }

    /** The number of bits of the shortest hash that has at least {@code bits}. */
    public static int widthFor(int bits) {
        return (bits + Long.SIZE - 1) / Long.SIZE * Long.SIZE;
    }

    /**
     * The bits of a text, 64 in each word; bit i is bit i mod 64 of word i / 64, counted from the lowest.
     *
     * @param features at least one, well-mixed 64-bit hashes
     * @throws IllegalArgumentException when there is none: an empty text has no direction
     */
    public long[] sign(Shingles features) {
        int count = features.size();
        if (count == 0) {
            throw new IllegalArgumentException("No shingles: expected at least 1, an empty text has no SimHash");
        }
        majority.weigh(features);
        long[] bits = new long[ties.length];
        long anyTies = 0;
        for (int word = 0; word < bits.length; word++) {
            majority.count(word == 0 ? features.array() : remixed(features, word), count);
            bits[word] = majority.positive();
            ties[word] = majority.tied();
            anyTies |= ties[word];
        }
        if (anyTies != 0) {
            breakTies(bits, least(features));
        }
        return bits;
    }

    /** The first bits of a hash, each 0 or 1. */
    public static int[] values(long[] bits, int count) {
        int[] values = new int[count];
        Arrays.setAll(values, i -> (int) (bits[i / Long.SIZE] >>> (i % Long.SIZE)) & 1);
        return values;
    }

    private void breakTies(long[] bits, long least) {
        for (int word = 0; word < bits.length; word++) {
            bits[word] |= ties[word] & SaltedHash.of(least, TIE_SALT + SaltedHash.salt(word));
        }
    }

    private long[] remixed(Shingles features, int word) {
        int count = features.size();
        if (words.length < count) {
            words = new long[count + (count >> 1)];
        }
        long[] hashes = features.array();
        long[] to = words;
        long salt = SaltedHash.salt(word);
        for (int i = 0; i < count; i++) {
            to[i] = SaltedHash.of(hashes[i], salt);
        }
        return to;
    }

    private static long least(Shingles features) {
        long[] hashes = features.array();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < features.size(); i++) {
            least = Math.min(least, hashes[i]);
        }
        return least;
    }
}
