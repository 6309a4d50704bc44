package io.neardup.engine.similarity;

/**
 * A set of shingles as a bitmap: each hash sets the bit that its low bits name, of 8 to 16 bits a shingle. What both
 * bitmaps have bounds what both sets have, so most sets that are not alike enough are told in a twentieth of the time
 * that comparing them takes. It is the bitmap filter of set similarity joins (Sandes, Teodoro and Melo, Information
 * Systems 2020, arXiv 1711.07295), with one hash function and without its sampling.
 *
 * <p>Error: none. Of sets of equal size that share less than 3/4 of their shingles, most are told to share less than
 * 5/6. Immutable.
 */
final class ShingleBitmap implements BitmapFilter {
    private static final int SHINGLES_A_WORD_MAX = Long.SIZE / 8;
    private static final int WORDS_MAX = 1 << 20;
    /** After so many words a comparison looks whether the rest can still make the two alike enough. */
    private static final int WORDS_A_LOOK = 64;

    private static final long OBJECT_BYTES = 48;

    private final Measure measure;
    private final long[] words;
    private final int shingles;
    /** Bits that are set from each {@value #WORDS_A_LOOK} words on: first all of them, in the end 0. */
    private final int[] takenFrom;

    private ShingleBitmap(Measure measure, long[] words, int shingles) {
        this.measure = measure;
        this.words = words;
        this.shingles = shingles;
        this.takenFrom = takenFrom(words);
    }

    private static int[] takenFrom(long[] words) {
        int[] taken = new int[(words.length + WORDS_A_LOOK - 1) / WORDS_A_LOOK + 1];
        for (int look = taken.length - 2; look >= 0; look--) {
            int end = Math.min(words.length, (look + 1) * WORDS_A_LOOK);
            taken[look] = taken[look + 1] + sharedBits(words, words, look * WORDS_A_LOOK, end);
        }
        return taken;
    }

    /**
     * The bitmap of a set.
     *
     * @param hashes well mixed, none twice, as many as {@code size} says; at least one
     */
    static ShingleBitmap of(Measure measure, long[] hashes, int size) {
        int wordsMin = Math.min(WORDS_MAX, (size + SHINGLES_A_WORD_MAX - 1) / SHINGLES_A_WORD_MAX);
        int count = Integer.highestOneBit(2 * wordsMin - 1);
        long[] words = new long[count];
        for (int i = 0; i < size; i++) {
            words[wordOf(hashes[i], count)] |= 1L << hashes[i];
        }
        return new ShingleBitmap(measure, words, size);
    }

    /** The bits above those that name the bit within the word: of fewer words fewer of the same bits. */
    private static int wordOf(long hash, int count) {
        return (int) (hash >>> 6) & (count - 1);
    }

    @Override
    public boolean isBelow(double threshold, BitmapFilter other) {
        ShingleBitmap that = (ShingleBitmap) other;
        int sharedMin = measure.sharedMin(threshold, shingles, that.shingles);
        // As if the smaller lay within the greater: where that is no match, no bit needs to be looked at.
        if (Math.min(shingles, that.shingles) < sharedMin) {
            return true;
        }
        return words.length <= that.words.length ? sharesLess(sharedMin, that) : that.sharesLess(sharedMin, this);
    }

    /**
     * Each shingle that both have sets a bit that both have. So they share at most as many as there are such bits, and
     * as many more as the shingles of one fell on bits that were set. Of words not looked at yet all bits of one may be
     * those of both.
     *
     * @param that as long, or longer: then the bits of this one alone are counted
     */
    private boolean sharesLess(int sharedMin, ShingleBitmap that) {
        ShingleBitmap counted = that.words.length == words.length ? that : this;
        int sharedMax = Math.min(shingles - takenFrom[0], counted.shingles - counted.takenFrom[0]);
        for (int look = 1; look < takenFrom.length; look++) {
            int end = Math.min(words.length, look * WORDS_A_LOOK);
            sharedMax += sharedBits((look - 1) * WORDS_A_LOOK, end, that.words);
            if (sharedMax + Math.min(takenFrom[look], counted.takenFrom[look]) < sharedMin) {
                return true;
            }
        }
        return false;
    }

    /** How many bits are set in both in some words, of more words those that fall on the same. */
    private int sharedBits(int from, int end, long[] others) {
        return words.length == others.length ? sharedBits(words, others, from, end) : foldedBits(from, end, others);
    }

    /** Nearly all are compared here: a loop that is as short as can be. */
    private static int sharedBits(long[] own, long[] others, int from, int end) {
        int shared = 0;
        for (int i = from; i < end; i++) {
            shared += Long.bitCount(own[i] & others[i]);
        }
        return shared;
    }

    private int foldedBits(int from, int end, long[] others) {
        int shared = 0;
        for (int i = from; i < end; i++) {
            long folded = 0;
            for (int above = i; above < others.length; above += words.length) {
                folded |= others[above];
            }
            shared += Long.bitCount(words[i] & folded);
        }
        return shared;
    }

    @Override
    public long bytes() {
        return OBJECT_BYTES + (long) Long.BYTES * words.length + (long) Integer.BYTES * takenFrom.length;
    }
}
