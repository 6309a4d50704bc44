package io.neardup.engine.similarity;

import java.util.Arrays;

/**
 * Counts the ones in each of the 64 columns of many words, all columns at once. Plane p holds bit p of the 64 counts.
 * Words are added by carry-save adders: each makes two words of three, and passes one on to the next plane (Warren,
 * Hacker's Delight, chapter 5, counts whole arrays this way). That is about 5 operations a word, whatever the words
 * are.
 */
final class ColumnCounts implements Majority {
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
