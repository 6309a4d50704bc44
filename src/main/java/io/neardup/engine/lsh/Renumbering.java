package io.neardup.engine.lsh;

import java.util.Arrays;
import java.util.BitSet;

/** The numbers from 0 of those documents of a part that are left when others are gone. */
final class Renumbering {
    private final long[] gone;
    /** By word of {@link #gone}, how many are gone before it. */
    private final int[] goneBefore;

    private final int left;

    /** Of most parts nobody is gone when they are written, and looking costs a cache miss an entry. */
    private final boolean isWhole;

    Renumbering(BitSet gone, int documents) {
        this.gone = Arrays.copyOf(gone.toLongArray(), documents / Long.SIZE + 1);
        this.goneBefore = new int[this.gone.length];
        int count = 0;
        for (int word = 0; word < goneBefore.length; word++) {
            goneBefore[word] = count;
            count += Long.bitCount(this.gone[word]);
        }
        this.left = documents - count;
        this.isWhole = count == 0;
    }

    int left() {
        return left;
    }

    boolean isGone(int number) {
        return !isWhole && (gone[number / Long.SIZE] >>> number & 1) != 0;
    }

    /** The new number of one that is left. */
    int number(int number) {
        int word = number / Long.SIZE;
        return isWhole ? number : number - goneBefore[word] - Long.bitCount(gone[word] & ((1L << number) - 1));
    }
}
