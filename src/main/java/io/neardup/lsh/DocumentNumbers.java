package io.neardup.lsh;

import java.util.Arrays;

/**
 * Small numbers for 64-bit documents, so that a bucket entry needs 32 bits for one: 1 to 2^31 - 1, freed ones used
 * again first. The way from a document to its number is not kept: the buckets give it.
 *
 * <p>The documents lie in chunks, so that growth copies nothing but the list of chunks. A free number's place holds
 * the next free number. Not thread-safe.
 */
final class DocumentNumbers {
    private static final int CHUNK_BITS = 13;
    private static final int CHUNK_LENGTH = 1 << CHUNK_BITS;
    private static final int NONE = 0;

    private long[][] chunks = new long[8][];
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
        used++;
        return number;
    }

    /** Frees a number in use. */
    void free(int number) {
        set(number, firstFree);
        firstFree = number;
        used--;
    }

    long document(int number) {
        return chunks[number >>> CHUNK_BITS][number & (CHUNK_LENGTH - 1)];
    }

    int used() {
        return used;
    }

    long bytes() {
        return chunkCount * HeapSize.longs(CHUNK_LENGTH) + HeapSize.references(chunks.length);
    }

    private int next() {
        if (greatest == Integer.MAX_VALUE) {
            throw new IllegalStateException(
                    "a band table holds at most " + Integer.MAX_VALUE + " documents: use more band partitions");
        }
        greatest++;
        if (greatest >>> CHUNK_BITS == chunkCount) {
            addChunk();
        }
        return greatest;
    }

    private void addChunk() {
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * chunkCount);
        }
        chunks[chunkCount++] = new long[CHUNK_LENGTH];
    }

    private void set(int number, long document) {
        chunks[number >>> CHUNK_BITS][number & (CHUNK_LENGTH - 1)] = document;
    }
}
