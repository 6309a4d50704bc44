package io.neardup.tools.analysis;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.SharedBands;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which documents share a bucket, when each looks into its buckets and is then put there, as in the service. Unlike in
 * the service all documents stay, duplicates too.
 */
final class CandidatePairs {
    private final List<BandKeys> keys;
    /** Of each document the bands whose full buckets did not take it. */
    private final List<List<Integer>> refused = new ArrayList<>();

    private final BandTable table;

    @FunctionalInterface
    interface Sink {
        void pair(int first, int second);
    }

    /**
     * @param keys of the documents in the order of arrival, at least one, all of the same bands
     * @param bucketMax documents a bucket takes at most
     * @param sink takes every pair, once, the earlier document first
     */
    CandidatePairs(List<BandKeys> keys, int bucketMax, Sink sink) {
        this.keys = List.copyOf(keys);
        this.table = new BandTable(keys.get(0).bands(), bucketMax);
        SharedBands shared = new SharedBands();
        for (int second = 0; second < keys.size(); second++) {
            table.candidates(second, keys.get(second), Integer.MAX_VALUE, shared);
            for (int i = 0; i < shared.size(); i++) {
                sink.pair((int) shared.document(i), second);
            }
            table.insert(second, keys.get(second), second);
            refused.add(table.refused());
        }
    }

    /** Whether the second of two documents finds the first in one of its buckets. */
    boolean contain(int first, int second) {
        BandKeys one = keys.get(first);
        BandKeys other = keys.get(second);
        return IntStream.range(0, one.bands())
                .anyMatch(band ->
                        one.key(band) == other.key(band) && !refused.get(first).contains(band));
    }

    /** How often a full bucket took a document no more. */
    long bucketsFull() {
        return table.refusals();
    }
}
