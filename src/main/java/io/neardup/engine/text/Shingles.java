package io.neardup.engine.text;

import java.util.Arrays;
import java.util.Objects;

/**
 * A buffer for the 64-bit hashes of a text's shingles, in the order of the text, repeats included. It grows and is used
 * again for text after text. Not safe for use by several threads.
 */
public final class Shingles {
    private final int max;
    private long[] hashes = new long[1024];
    private int size;
    private int excluded;

    /** Of texts of any length. */
    public Shingles() {
        this(Integer.MAX_VALUE);
    }

    /** @param max how many a text may have that is cut into this */
    public Shingles(int max) {
        this.max = max;
    }

    /** A text has more shingles than it may have. */
    public static final class TooManyException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooManyException(int max, long found) {
            super("expected a text of at most " + max + " shingles, found " + found, null, false, false);
        }
    }

    /** To be called before a text is cut, so that one that is refused takes no room. */
    void requireAtMost(long count) {
        if (count > max) {
            throw new TooManyException(max, count);
        }
    }

    /** Forgets the hashes and keeps the room. */
    public void clear() {
        size = 0;
        excluded = 0;
    }

    public void add(long hash) {
        int at = size;
        extend(1)[at] = hash;
    }

    public int size() {
        return size;
    }

    /** How many shingles of the text are not here because they do not count ({@link BoilerplateShingles}). */
    public int excluded() {
        return excluded;
    }

    /** The hash at a position, from 0 to size - 1. */
    public long hash(int i) {
        return hashes[Objects.checkIndex(i, size)];
    }

    /** The backing array, not a copy: valid up to {@link #size()}, until the next change. */
    public long[] array() {
        return hashes;
    }

    /** Keeps the first {@code newSize} hashes and forgets the rest. */
    void shorten(int newSize) {
        size = Objects.checkIndex(newSize, size + 1);
    }

    /** Forgets the last hashes, as these do not count. */
    void exclude(int count) {
        shorten(size - count);
        excluded += count;
    }

    /** Makes the buffer longer by {@code count}; the caller fills the new end of the array returned. */
    long[] extend(int count) {
        int needed = Math.addExact(size, count);
        if (needed > hashes.length) {
            hashes = Arrays.copyOf(hashes, Math.max(needed, hashes.length + (hashes.length >> 1)));
        }
        size = needed;
        return hashes;
    }
}
