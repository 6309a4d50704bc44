package io.neardup.engine.lsh;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.LongPredicate;

/**
 * Numbers from 1 to 2^31 - 1 for 64-bit documents, so that a bucket entry needs 32 bits for one. Freed numbers are used
 * again first. Documents are found by number; a number is found through the buckets, not here. With each number goes a
 * tag, not negative, that the caller sets, 0 at first.
 *
 * <p>The documents lie in chunks, so that growth copies only the list of chunks. The place of a free number holds the
 * next free one. Not thread-safe.
 */
final class DocumentNumbers {
    private static final int CHUNK_BITS = 13;
    private static final int CHUNK_LENGTH = 1 << CHUNK_BITS;
    private static final int NONE = 0;
    private static final long FREE = -1;

    private long[][] chunks = new long[8][];
    private long[][] tags = new long[8][];
    private int chunkCount;
    private int greatest = NONE;
    private int firstFree = NONE;
    private int used;

    /** Gives the document a number. */
    int take(long document) {
        int number = firstFree == NONE ? next() : firstFree;
        if (number == firstFree) {
            firstFree = (int) document(number);
        }
        set(number, document);
        tag(number, 0);
        used++;
        return number;
    }

    /** Frees a number in use. */
    void free(int number) {
        tag(number, FREE);
        used--;
        set(number, firstFree);
        firstFree = number;
    }

    long document(int number) {
        return chunks[number >>> CHUNK_BITS][number & (CHUNK_LENGTH - 1)];
    }

    long tag(int number) {
        return tags[number >>> CHUNK_BITS][number & (CHUNK_LENGTH - 1)];
    }

    /** Reads all that is known of a number. */
    long touch(int number) {
        return document(number) + tag(number);
    }

    void tag(int number, long tag) {
        tags[number >>> CHUNK_BITS][number & (CHUNK_LENGTH - 1)] = tag;
    }

    /** The numbers in use whose tags match. */
    BitSet tagged(LongPredicate tags) {
        BitSet numbers = new BitSet(greatest + 1);
        for (int number = 1; number <= greatest; number++) {
            long tag = tag(number);
            if (tag != FREE && tags.test(tag)) {
                numbers.set(number);
            }
        }
        return numbers;
    }

    int used() {
        return used;
    }

    long bytes() {
        return chunkCount * (2 * BandTable.longs(CHUNK_LENGTH)) + 2 * BandTable.ints(chunks.length);
    }

    private int next() {
        if (greatest == Integer.MAX_VALUE) {
            throw new IllegalStateException(
                    "a band table holds at most " + Integer.MAX_VALUE + " documents: use more index partitions");
        }
        greatest++;
        if (greatest >>> CHUNK_BITS == chunkCount) {
            addChunk(new long[CHUNK_LENGTH], new long[CHUNK_LENGTH]);
        }
        return greatest;
    }

    private void addChunk(long[] documentChunk, long[] tagChunk) {
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * chunkCount);
            tags = Arrays.copyOf(tags, 2 * chunkCount);
        }
        chunks[chunkCount] = documentChunk;
        tags[chunkCount] = tagChunk;
        chunkCount++;
    }

    private void set(int number, long document) {
        chunks[number >>> CHUNK_BITS][number & (CHUNK_LENGTH - 1)] = document;
    }
}
