package io.neardup.engine.lsh;

import java.util.Arrays;
import java.util.BitSet;

/** The numbers from 0 of those documents of a part that are left when others are gone. */
final class Renumbering {
    private static final int WORD_BITS = 6;
    private static final int BLOCK_BITS = 9;
    private static final int WORDS_OF_BLOCK = 1 << (BLOCK_BITS - WORD_BITS);

    private final long[] gone;
    /** By block, how many are gone before it. */
    private final int[] goneBefore;

    private final int left;

    /** Of most parts nobody is gone when they are written, and looking costs a cache miss an entry. */
    private final boolean isWhole;

    Renumbering(BitSet gone, int documents) {
        this.gone = Arrays.copyOf(gone.toLongArray(), (documents >>> WORD_BITS) + 1);
        this.goneBefore = new int[(documents >>> BLOCK_BITS) + 1];
        int count = 0;
        for (int word = 0; word < this.gone.length; word++) {
            if (word % WORDS_OF_BLOCK == 0) {
                goneBefore[word / WORDS_OF_BLOCK] = count;
            }
            count += Long.bitCount(this.gone[word]);
        }
        this.left = documents - count;
        this.isWhole = count == 0;
    }

    int left() {
        return left;
    }

    boolean isGone(int number) {
        return !isWhole && (gone[number >>> WORD_BITS] >>> number & 1) != 0;
    }

    /** The new number of one that is left. */
    int number(int number) {
        if (isWhole) {
            return number;
        }
        int word = number >>> WORD_BITS;
        int before = goneBefore[number >>> BLOCK_BITS];
        for (int other = word / WORDS_OF_BLOCK * WORDS_OF_BLOCK; other < word; other++) {
            before += Long.bitCount(gone[other]);
        }
        return number - before - Long.bitCount(gone[word] & ((1L << number) - 1));
    }
}
