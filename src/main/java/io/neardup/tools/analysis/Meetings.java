package io.neardup.tools.analysis;

import io.neardup.engine.lsh.BandKeys;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which documents meet in a bucket, when each looks into its buckets and is then put there, as in the service. A full
 * bucket takes no more. Unlike in the service all documents stay, duplicates too.
 */
final class Meetings {
    private static final int NONE = -1;

    private final List<BandKeys> keys;
    /** For each band and document the document that was put into its bucket last before it, or -1. */
    private final int[][] previous;
    /** For each band the documents that their bucket took. */
    private final BitSet[] held;

    private long bucketsFull;

    /**
     * @param keys of the documents in the order of arrival, all of the same bands
     * @param bucketMax documents a bucket takes at most
     */
    Meetings(List<BandKeys> keys, int bucketMax) {
        this.keys = List.copyOf(keys);
        int bands = keys.isEmpty() ? 0 : keys.get(0).bands();
        this.previous = new int[bands][keys.size()];
        this.held = new BitSet[bands];
        for (int band = 0; band < bands; band++) {
            held[band] = new BitSet(keys.size());
            fill(band, bucketMax);
        }
    }

    private void fill(int band, int bucketMax) {
        Map<Long, Bucket> buckets = new HashMap<>();
        for (int document = 0; document < keys.size(); document++) {
            Bucket bucket = buckets.computeIfAbsent(keys.get(document).key(band), key -> new Bucket());
            previous[band][document] = bucket.last;
            if (bucket.size < bucketMax) {
                bucket.size++;
                bucket.last = document;
                held[band].set(document);
            } else {
                bucketsFull++;
            }
        }
    }

    /** Whether the second of two documents finds the first in one of its buckets. */
    boolean meet(int first, int second) {
        BandKeys keysOfFirst = keys.get(first);
        BandKeys keysOfSecond = keys.get(second);
        for (int band = 0; band < held.length; band++) {
            if (keysOfFirst.key(band) == keysOfSecond.key(band) && held[band].get(first)) {
                return true;
            }
        }
        return false;
    }

    /** Tells every pair that meets, once. */
    void forEach(MeetingSink sink) {
        int[] seenBy = new int[keys.size()];
        Arrays.fill(seenBy, NONE);
        for (int second = 0; second < seenBy.length; second++) {
            for (int[] before : previous) {
                // Documents behind the first one that is held were all held too.
                for (int first = before[second]; first != NONE; first = before[first]) {
                    if (seenBy[first] != second) {
                        seenBy[first] = second;
                        sink.meeting(first, second);
                    }
                }
            }
        }
    }

    /** How often a full bucket took a document no more. */
    long bucketsFull() {
        return bucketsFull;
    }

    /** Takes pairs of documents that meet. */
    @FunctionalInterface
    interface MeetingSink {
        void meeting(int first, int second);
    }

    private static final class Bucket {
        private int last = NONE;
        private int size;
    }
}
