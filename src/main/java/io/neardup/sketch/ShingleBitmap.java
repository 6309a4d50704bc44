package io.neardup.sketch;

import io.neardup.text.Overlap;

/**
 * A set of shingles as a bitmap: each hash sets the bit that its low bits name, of 8 to 16 bits a shingle. What both
 * bitmaps have bounds what both sets have, so most sets that are not alike enough are told in a twentieth of the time
 * that comparing them takes. It is the bitmap filter of set similarity joins (Sandes, Teodoro and Melo, Information
 * Systems 2020, arXiv 1711.07295), with one hash function and without its sampling.
 *
 * <p>Error: none. Of sets of equal size that share less than 3/4 of their shingles, most are told to share less than
 * 5/6. Immutable.
 */
final class ShingleBitmap implements Outline {
    private static final int BITS_A_SHINGLE_MIN = 8;
    private static final int WORDS_MAX = 1 << 20;
    private static final long OBJECT_BYTES = 48;

    private final Measure measure;
    private final long[] words;
    private final int shingles;

    private ShingleBitmap(Measure measure, long[] words, int shingles) {
        this.measure = measure;
        this.words = words;
        this.shingles = shingles;
    }

    /**
     * The bitmap of a set.
     *
     * @param hashes well mixed, none twice, as many as {@code size} says
     */
    static ShingleBitmap of(Measure measure, long[] hashes, int size) {
        long bits = (long) BITS_A_SHINGLE_MIN * size;
        int wordsMin = (int) Math.min(WORDS_MAX, Math.max(1, bits / Long.SIZE));
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
    public double similarityMax(Outline other) {
        ShingleBitmap that = (ShingleBitmap) other;
        return words.length <= that.words.length ? similarityMax(this, that) : similarityMax(that, this);
    }

    private static double similarityMax(ShingleBitmap shorter, ShingleBitmap longer) {
        int least = Math.min(shorter.shingles, longer.shingles);
        int most = Math.max(shorter.shingles, longer.shingles);
        // As if the smaller lay within the greater: where that is no match, no bit needs to be looked at.
        int sharedMax = Math.min(least, shorter.sharedMax(longer));
        return shorter.measure.of(new Overlap(least, most, sharedMax)).value();
    }

    /**
     * Each shingle that both have sets a bit that both have. So they share at most as many as there are such bits, and
     * as many more as the shingles of one fell on bits that were set.
     */
    private int sharedMax(ShingleBitmap longer) {
        long[] others = longer.folded(words.length);
        int both = 0;
        int own = 0;
        int theirs = 0;
        for (int i = 0; i < words.length; i++) {
            both += Long.bitCount(words[i] & others[i]);
            own += Long.bitCount(words[i]);
            theirs += Long.bitCount(others[i]);
        }
        return both + Math.min(shingles - own, longer.shingles - theirs);
    }

    /** The bitmap that a set has in fewer words. */
    private long[] folded(int count) {
        if (words.length == count) {
            return words;
        }
        long[] folded = new long[count];
        for (int i = 0; i < words.length; i++) {
            folded[i & (count - 1)] |= words[i];
        }
        return folded;
    }

    @Override
    public long bytes() {
        return OBJECT_BYTES + (long) Long.BYTES * words.length;
    }
}
