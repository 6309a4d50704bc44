package io.neardup.engine.lsh;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * Numbers from 1 to 2^31 - 1 for 64-bit documents, so that a bucket entry needs 32 bits for one. Freed numbers are used
 * again first. Documents are found by number; a number is found through the buckets, not here. With each number goes a
 * tag of 31 bits that the caller sets, 0 at first.
 *
 * <p>The documents lie in chunks, so that growth copies only the list of chunks. The place of a free number holds the
 * next free one. Not thread-safe.
 */
final class DocumentNumbers {
    private static final int CHUNK_BITS = 13;
    private static final int CHUNK_LENGTH = 1 << CHUNK_BITS;
    private static final int NONE = 0;
    private static final int FREE = -1;

    private long[][] chunks = new long[8][];
    private int[][] tags = new int[8][];
    private int chunkCount;
    private int greatest = NONE;
    private int firstFree = NONE;
    private int used;

    private boolean isHolding;
    private int firstHeld = NONE;
    private int lastHeld = NONE;
    private int held;
    private final BitSet changed = new BitSet();

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
        if (isHolding) {
            hold(number);
        } else {
            set(number, firstFree);
            firstFree = number;
        }
    }

    private void hold(int number) {
        set(number, firstHeld);
        firstHeld = number;
        lastHeld = lastHeld == NONE ? number : lastHeld;
        held++;
    }

    long document(int number) {
        return chunks[number >>> CHUNK_BITS][number & (CHUNK_LENGTH - 1)];
    }

    int tag(int number) {
        return tags[number >>> CHUNK_BITS][number & (CHUNK_LENGTH - 1)];
    }

    /** Reads all that is known of a number. */
    long touch(int number) {
        return document(number) + tag(number);
    }

    void tag(int number, int tag) {
        markChanged(number);
        tags[number >>> CHUNK_BITS][number & (CHUNK_LENGTH - 1)] = tag;
    }

    /** The numbers in use whose tags match. */
    BitSet tagged(IntPredicate tags) {
        BitSet numbers = new BitSet(greatest + 1);
        for (int number = 1; number <= greatest; number++) {
            int tag = tag(number);
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
        return chunkCount * (BandTable.longs(CHUNK_LENGTH) + BandTable.ints(CHUNK_LENGTH))
                + 2 * BandTable.ints(chunks.length);
    }

    /**
     * Until {@link #reuseFreed}, a number that is freed is not given to another document. Notes from now on which
     * chunks change.
     */
    void holdFreed() {
        isHolding = true;
        changed.clear();
        changed.set(0, chunkCount);
    }

    /** Ends the holding. The numbers freed meanwhile are the first to be used again. */
    void reuseFreed() {
        if (held > 0) {
            set(lastHeld, firstFree);
            firstFree = firstHeld;
        }
        isHolding = false;
        firstHeld = NONE;
        lastHeld = NONE;
        held = 0;
    }

    /** Those that were freed since {@link #holdFreed}. */
    int held() {
        return held;
    }

    /** The first chunk from there on that has changed since it was written, -1 if there is none. */
    int changedFrom(int chunk) {
        return changed.nextSetBit(chunk);
    }

    void writeChunk(ArrayOutput to, int chunk) throws IOException {
        changed.clear(chunk);
        to.writeInt(chunk);
        to.writeLongs(chunks[chunk]);
        to.writeInts(tags[chunk]);
    }

    /** Reads a chunk, which may be there already; a new one comes right behind those that are. */
    void readChunk(ArrayInput from) throws IOException {
        int chunk = from.readInt();
        if (chunk == chunkCount) {
            addChunk(from.readLongs(), from.readInts());
        } else {
            chunks[chunk] = from.readLongs();
            tags[chunk] = from.readInts();
        }
    }

    /** Writes what is not in the chunks. */
    void writeEnds(ArrayOutput to) throws IOException {
        to.writeInt(greatest);
        to.writeInt(firstFree);
        to.writeInt(used);
    }

    void readEnds(ArrayInput from) throws IOException {
        greatest = from.readInt();
        firstFree = from.readInt();
        used = from.readInt();
    }

    /** The first of the free numbers: those that are used again first. */
    BitSet firstFree(int count) {
        BitSet first = new BitSet(greatest + 1);
        int number = firstFree;
        for (int more = count; more > 0; more--) {
            first.set(number);
            number = (int) document(number);
        }
        return first;
    }

    private int next() {
        if (greatest == Integer.MAX_VALUE) {
            throw new IllegalStateException(
                    "a band table holds at most " + Integer.MAX_VALUE + " documents: use more index partitions");
        }
        greatest++;
        if (greatest >>> CHUNK_BITS == chunkCount) {
            addChunk(new long[CHUNK_LENGTH], new int[CHUNK_LENGTH]);
        }
        return greatest;
    }

    private void addChunk(long[] documentChunk, int[] tagChunk) {
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * chunkCount);
            tags = Arrays.copyOf(tags, 2 * chunkCount);
        }
        chunks[chunkCount] = documentChunk;
        tags[chunkCount] = tagChunk;
        chunkCount++;
    }

    private void markChanged(int number) {
        if (isHolding) {
            changed.set(number >>> CHUNK_BITS);
        }
    }

    private void set(int number, long document) {
        markChanged(number);
        chunks[number >>> CHUNK_BITS][number & (CHUNK_LENGTH - 1)] = document;
    }
}
