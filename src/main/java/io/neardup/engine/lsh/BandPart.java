package io.neardup.engine.lsh;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Documents of a {@link BandTable} that are older than those that it takes. They have numbers from 0, the oldest first.
 * Their buckets do not change; those that are gone are marked.
 */
abstract class BandPart {
    private static final int GROUP_SHIFT = 48;

    private final BitSet gone;
    private final Latest latest;
    private int goneCount;

    /** @param gone who is gone already, which this takes for its own */
    BandPart(BitSet gone, Latest latest) {
        this.gone = gone;
        this.latest = latest;
        this.goneCount = gone.cardinality();
    }

    /**
     * Of each group of documents, those that have the upper 16 bits in common, the one with the highest reference:
     * nearly all that come are above these, so that nobody need look for them here.
     */
    static final class Latest {
        private final long[] documents;

        /** @param documents rising, which this takes for its own */
        Latest(long[] documents) {
            this.documents = documents;
        }

        long[] documents() {
            return documents;
        }

        boolean mayHave(long document) {
            int at = Arrays.binarySearch(documents, document);
            int next = at < 0 ? -1 - at : at;
            return next < documents.length && documents[next] >> GROUP_SHIFT == document >> GROUP_SHIFT;
        }

        /** Gathers them. */
        static final class Collector {
            private final SortedMap<Long, Long> byGroup = new TreeMap<>();

            void add(long document) {
                byGroup.merge(document >> GROUP_SHIFT, document, Math::max);
            }

            Latest collected() {
                return new Latest(
                        byGroup.values().stream().mapToLong(Long::longValue).toArray());
            }
        }
    }

    /** Whether a document can be here: seldom where it is not. */
    final boolean mayHave(long document) {
        return latest.mayHave(document);
    }

    /** Those too that are gone. */
    abstract int documents();

    final int alive() {
        return documents() - goneCount;
    }

    final boolean isGone(int number) {
        return gone.get(number);
    }

    final void remove(int number) {
        goneCount += gone.get(number) ? 0 : 1;
        gone.set(number);
    }

    /** Who is gone, copied. */
    final BitSet gone() {
        return (BitSet) gone.clone();
    }

    final IntStream goneStream() {
        return gone.stream();
    }

    /** Where the entries are, among which those of a bucket are. */
    abstract long slot(int band, long hash);

    /** Reads something of the entries. Calls for several bands in a row let their cache misses overlap. */
    abstract long touch(int band, long slot);

    /**
     * Appends every document of a bucket that is not gone, as {@link BandTable#ofPart}.
     *
     * @param slot that of the bucket
     * @param base documents of all older parts
     */
    abstract void gather(int band, long hash, long slot, int base, BandBuckets.NumberList into) throws IOException;

    /** What the number stands for. */
    abstract long document(int number) throws IOException;

    /** The tags of so many documents from a number on, of at most 1,000. */
    abstract long[] tags(int first, int count) throws IOException;

    /** What is left now, for another thread. */
    abstract SegmentSource source();

    long heapBytes() {
        return gone.size() / Byte.SIZE;
    }
}
