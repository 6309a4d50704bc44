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

    /** The most bits: bands x rows, where texts are compared exactly; all of them, where bits estimate. */
    public static final int BITS_MAX = 1024;

    private static final long TIE_SALT = 0x6A09E667F3BCC909L;

    private final long[] ties;
    private final Majority majority;
    private long[] words = new long[0];

    /**
     * For one thread.
     *
     * @param bits 64 to 1024, a multiple of 64; the bits of a shorter hash begin a longer one
     */
    public SimHash(int bits, ShingleWeights weights) {
        this.ties = new long[requireWidth(bits) / Long.SIZE];
        this.majority = weights.areEqual() ? new ColumnCounts() : new WeightedCounts(weights);
    }

    private static int requireWidth(int bits) {
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

    /**
     * The majority of the features' bits in each of 64 columns: a one adds the weight of its feature, a zero subtracts
     * it.
     */
    private interface Majority {
        /** Looks up the features' weights, if they have any, once for all counts that follow. */
        default void weigh(Shingles features) {}

        /** Counts anew: one word a feature, in the features' order. */
        void count(long[] words, int count);

        /** The columns in which the ones outweigh the zeros. */
        long positive();

        long tied();
    }

    /**
     * Counts the ones in each of the 64 columns of many words, all columns at once. Plane p holds bit p of the 64
     * counts. Words are added by carry-save adders: each makes two words of three, and passes one on to the next plane
     * (Warren, Hacker's Delight, chapter 5, counts whole arrays this way). That is about 5 operations a word, whatever
     * the words are.
     */
    private static final class ColumnCounts implements Majority {
        private static final int BLOCK = 8;
        private static final int BLOCK_PLANE = 3;
        private static final int PLANES = Integer.SIZE;

        private final long[] planes = new long[PLANES];
        /** One word for each plane that waits for a second, so that an adder has three words to take. */
        private final long[] waiting = new long[PLANES];

        private int total;

        @Override
        public void count(long[] words, int count) {
            Arrays.fill(planes, 0);
            total = count;
            int blocks = count / BLOCK;
            countBlocks(words, blocks);
            int plane = BLOCK_PLANE;
            for (int left = blocks; left != 0; left >>>= 1) {
                if ((left & 1) == 1) {
                    add(waiting[plane], plane);
                }
                plane++;
            }
            for (int i = blocks * BLOCK; i < count; i++) {
                add(words[i], 0);
            }
        }

        private void countBlocks(long[] words, int blocks) {
            long ones = 0;
            long twos = 0;
            long fours = 0;
            for (int block = 0; block < blocks; block++) {
                int at = block * BLOCK;
                long twosA = carry(ones, words[at], words[at + 1]);
                ones = ones ^ words[at] ^ words[at + 1];
                long twosB = carry(ones, words[at + 2], words[at + 3]);
                ones = ones ^ words[at + 2] ^ words[at + 3];
                long foursA = carry(twos, twosA, twosB);
                twos = twos ^ twosA ^ twosB;
                twosA = carry(ones, words[at + 4], words[at + 5]);
                ones = ones ^ words[at + 4] ^ words[at + 5];
                twosB = carry(ones, words[at + 6], words[at + 7]);
                ones = ones ^ words[at + 6] ^ words[at + 7];
                long foursB = carry(twos, twosA, twosB);
                twos = twos ^ twosA ^ twosB;
                passOn(carry(fours, foursA, foursB), block);
                fours = fours ^ foursA ^ foursB;
            }
            planes[0] = ones;
            planes[1] = twos;
            planes[2] = fours;
        }

        /** A word waits on the planes where the binary number of the blocks before has a one. */
        private void passOn(long word, int blocksBefore) {
            long carried = word;
            int plane = BLOCK_PLANE;
            for (int ones = blocksBefore; (ones & 1) == 1; ones >>>= 1) {
                long sum = planes[plane];
                long waited = waiting[plane];
                planes[plane] = sum ^ waited ^ carried;
                carried = carry(sum, waited, carried);
                plane++;
            }
            waiting[plane] = carried;
        }

        private void add(long word, int fromPlane) {
            long carried = word;
            for (int plane = fromPlane; carried != 0; plane++) {
                long sum = planes[plane];
                planes[plane] = sum ^ carried;
                carried &= sum;
            }
        }

        private static long carry(long a, long b, long c) {
            return (a & b) | ((a ^ b) & c);
        }

        @Override
        public long positive() {
            long greater = 0;
            long equal = -1;
            for (int plane = PLANES - 1; plane >= 0; plane--) {
                long bound = boundBits(plane);
                greater |= equal & planes[plane] & ~bound;
                equal &= ~(planes[plane] ^ bound);
            }
            return greater;
        }

        @Override
        public long tied() {
            long equal = (total & 1) == 0 ? -1 : 0;
            for (int plane = 0; plane < PLANES; plane++) {
                equal &= ~(planes[plane] ^ boundBits(plane));
            }
            return equal;
        }

        /** All ones where half of the words, rounded down, has a one. */
        private long boundBits(int plane) {
            return -(long) (((total / 2) >>> plane) & 1);
        }
    }

    /**
     * Sums the weights of the ones in each of 64 columns of many words. A word is eight bytes. There is a sum for each
     * of the 8 places and each of the 256 values that a byte can have. A byte adds the weight to one of them: 8
     * additions a word, not 64. In the end the columns' sums are taken from these 8 x 256. All are whole numbers, so
     * the order of the words does not matter.
     */
    private static final class WeightedCounts implements Majority {
        private static final int VALUES = 1 << Byte.SIZE;

        private final ShingleWeights weightOf;
        private final long[] sums = new long[Long.BYTES * VALUES];
        private final long[] columns = new long[Long.SIZE];
        private int[] weights = new int[0];
        private long total;

        WeightedCounts(ShingleWeights weightOf) {
            this.weightOf = weightOf;
        }

        @Override
        public void weigh(Shingles features) {
            int count = features.size();
            if (weights.length < count) {
                weights = new int[count + (count >> 1)];
            }
            total = 0;
            long[] hashes = features.array();
            for (int i = 0; i < count; i++) {
                weights[i] = weightOf.of(hashes[i]);
                total += weights[i];
            }
        }

        @Override
        public void count(long[] words, int count) {
            Arrays.fill(sums, 0);
            long[] to = sums;
            for (int i = 0; i < count; i++) {
                long word = words[i];
                long weight = weights[i];
                for (int place = 0; place < Long.BYTES; place++) {
                    to[place * VALUES + ((int) (word >>> (place * Byte.SIZE)) & (VALUES - 1))] += weight;
                }
            }
            for (int place = 0; place < Long.BYTES; place++) {
                fold(place);
            }
        }

        /**
         * From the highest bit down: the values with the bit set are the upper half; their sums are then added to the
         * lower half.
         */
        private void fold(int place) {
            int start = place * VALUES;
            for (int bit = Byte.SIZE - 1; bit >= 0; bit--) {
                int half = 1 << bit;
                long withBit = 0;
                for (int value = start; value < start + half; value++) {
                    withBit += sums[value + half];
                    sums[value] += sums[value + half];
                }
                columns[place * Byte.SIZE + bit] = withBit;
            }
        }

        @Override
        public long positive() {
            long bits = 0;
            for (int column = 0; column < Long.SIZE; column++) {
                bits |= (2 * columns[column] > total ? 1L : 0L) << column;
            }
            return bits;
        }

        @Override
        public long tied() {
            long bits = 0;
            for (int column = 0; column < Long.SIZE; column++) {
                bits |= (2 * columns[column] == total ? 1L : 0L) << column;
            }
            return bits;
        }
    }
}
