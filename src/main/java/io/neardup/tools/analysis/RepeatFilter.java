package io.neardup.tools.analysis;

import io.neardup.engine.text.ShingleSet;

/**
 * Which hashes were seen more than once, in 16 to 32 bits a hash. Most shingles of a collection stand in one document
 * only; telling these apart needs no table of them.
 *
 * <p>A hash that was seen once may be taken for a repeated one, where another hash has its bit: at most one in eight up
 * to 268 million hashes, more above, as the memory ends at 512 MB.
 */
final class RepeatFilter {
    /** At least, of each of the two bit sets; up to twice as many, as their size is a power of two. */
    private static final int BITS_PER_HASH = 8;

    private static final long BITS_MIN = 1 << 10;
    private static final long BITS_MAX = 1L << 31;

    private final long[] once;
    private final long[] again;
    private final int shift;

    /** @param hashesMax how many will be seen; more make it less sharp, and not wrong */
    RepeatFilter(long hashesMax) {
        long wanted = Math.min(BITS_MAX, Math.max(BITS_MIN, BITS_PER_HASH * hashesMax));
        long bits = Long.highestOneBit(2 * wanted - 1);
        this.once = new long[(int) (bits / Long.SIZE)];
        this.again = new long[(int) (bits / Long.SIZE)];
        this.shift = Long.numberOfLeadingZeros(bits) + 1;
    }

    void see(ShingleSet shingles) {
        for (int i = 0; i < shingles.size(); i++) {
            long bit = shingles.hash(i) >>> shift;
            int word = (int) (bit / Long.SIZE);
            again[word] |= once[word] & 1L << bit;
            once[word] |= 1L << bit;
        }
    }

    /** Whether a hash was seen more than once; never false for one that was. */
    boolean isRepeated(long hash) {
        long bit = hash >>> shift;
        return (again[(int) (bit / Long.SIZE)] & 1L << bit) != 0;
    }
}
