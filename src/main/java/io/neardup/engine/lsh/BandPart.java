package io.neardup.engine.lsh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * Some documents of a {@link BandTable}, in memory or in a file. They have numbers from 0 and rising tags, the oldest
 * first. Those that are gone are marked.
 */
abstract class BandPart {
    private final BitSet gone;
    private int goneCount;

    /** @param gone who is gone already, which this takes for its own */
    BandPart(BitSet gone) {
        this.gone = gone;
        this.goneCount = gone.cardinality();
    }

    /** Those too that are gone. */
    abstract int documents();

    final int alive() {
        return documents() - goneCount;
    }

    final boolean isGone(int number) {
        return gone.get(number);
    }

    /** Marks a document that is not gone yet. */
    final void markGone(int number) {
        goneCount++;
        gone.set(number);
    }

    /** Who is gone, copied. */
    final BitSet gone() {
        return (BitSet) gone.clone();
    }

    /** A lookup of a key of each band begins: finds where the entries are among which those of its bucket are. */
    void begin(long[] keys) {}

    /** Reads the first and the last of these of each band, one band right after the other. */
    abstract long touch(long[] keys);

    /** Whether a document can be here. */
    abstract boolean mayHave(long document);

    /**
     * Appends every document of a bucket that is not gone.
     *
     * @param key with which this lookup began for this band
     * @param base to be added to the numbers
     */
    abstract void gather(int band, long key, int base, BandBuckets.NumberList into) throws IOException;

    /** What the number stands for. */
    abstract long document(int number) throws IOException;

    /** The tags of so many documents from a number on, of at most 1,000. */
    abstract long[] tags(int first, int count) throws IOException;

    /** The tag of the last document; {@link Long#MIN_VALUE} where there is none. */
    abstract long lastTag();

    long heapBytes() {
        return gone.size() / Byte.SIZE;
    }

    // ---- for who writes a segment of this, in any thread, when nothing is added any more

    /** The entries of a band, rising by key, those of who is gone too. */
    abstract Entries entries(int band) throws IOException;

    /** What each number stands for, with the tails of its keys ({@link SegmentLayout#documentBytes}), in order. */
    abstract Documents documentColumn() throws IOException;

    /** The tag of each number, in order. */
    abstract Column tagColumn() throws IOException;

    /** Many entries at once. */
    interface Entries {
        /**
         * Reads the next ones.
         *
         * @param keys for their keys, of any length above 0
         * @param numbers for their numbers, as long
         * @return how many: less than there is room for only at the end
         */
        int read(long[] keys, int[] numbers) throws IOException;
    }

    /** One document after the other. */
    interface Documents {
        /** A buffer that stands at the next one, which is to be read as a whole. */
        ByteBuffer next() throws IOException;
    }

    /** One value after the other. */
    interface Column {
        long next() throws IOException;
    }
}
