package io.neardup.engine.lsh;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * A part of a {@link BandTable}, in memory or in a file. Its documents have numbers from 0 and rising tags, the oldest
 * first. Those that were removed are marked as gone.
 */
abstract class BandPart implements Closeable {
    private final BitSet gone;
    private int goneCount;

    /** @param gone documents that are gone already; the caller must not change it any more */
    BandPart(BitSet gone) {
        this.gone = gone;
        this.goneCount = gone.cardinality();
    }

    /** How many there are, including those that are gone. */
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

    /** A copy of the marks of those that are gone. */
    final BitSet gone() {
        return (BitSet) gone.clone();
    }

    /** Begins a lookup of one key a band: a segment finds the range of entries that has those of its bucket. */
    abstract void begin(long[] keys);

    /** Reads some entries of each of the buckets that this lookup began with, so that cache misses overlap. */
    abstract long touch(long[] keys);

    /** Whether a document may be here. */
    abstract boolean mayHave(long document);

    /**
     * Appends every document of a bucket that is not gone.
     *
     * @param key with which this lookup began for this band
     * @param base to be added to the numbers
     */
    abstract void gather(int band, long key, int base, BandBuckets.NumberList into) throws IOException;

    /** The document that has a number. */
    abstract long document(int number) throws IOException;

    /** The tags of {@code count} documents, at most 1,000, from number {@code first} on. */
    abstract long[] tags(int first, int count) throws IOException;

    /** The tag of the document that has a number. */
    long tag(int number) throws IOException {
        return tags(number, 1)[0];
    }

    /** The tag of the last document; {@link Long#MIN_VALUE} where there is none. */
    abstract long lastTag();

    /** Memory taken, on the heap and outside, but for what is mapped. */
    long memoryBytes() {
        return gone.size() / Byte.SIZE;
    }

    // ---- to write a segment of it, in any thread, once nothing is added any more

    /** The entries of a band, rising by key, including those of documents that are gone. */
    abstract Entries entries(int band) throws IOException;

    /** The document of each number with the tails of its keys ({@link SegmentLayout#documentBytes}), in order. */
    abstract Documents documentColumn() throws IOException;

    /** The tag of each number, in order. */
    abstract Column tagColumn() throws IOException;

    /** Many entries at once. */
    interface Entries {
        /**
         * Reads the next entries.
         *
         * @param keys filled with their keys, of any length above 0
         * @param numbers filled with their documents' numbers, of the same length
         * @return how many were read: fewer than there is room for only at the end
         */
        int read(long[] keys, int[] numbers) throws IOException;
    }

    /** One document after the other. */
    interface Documents {
        /** A buffer positioned at the next document, which must be read to its end. */
        ByteBuffer next() throws IOException;
    }

    /** One value after the other. */
    interface Column {
        long next() throws IOException;
    }
}
