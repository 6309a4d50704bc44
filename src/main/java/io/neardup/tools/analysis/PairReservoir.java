package io.neardup.tools.analysis;

import java.util.Collection;
import java.util.Collections;
import java.util.PriorityQueue;

/**
 * A random sample of the pairs that pass, drawn by lots: those of the lowest lots stay, so that each pair has the same
 * chance. Its size can be lowered later. Not thread-safe.
 */
final class PairReservoir {
    private final PriorityQueue<Drawn> drawn = new PriorityQueue<>((a, b) -> Long.compare(b.lot, a.lot));
    private int capacity;
    private long seen;
    private long bytes;
    private long highest = Long.MAX_VALUE;

    PairReservoir(int capacity) {
        this.capacity = capacity;
    }

    /**
     * A pair that was drawn.
     *
     * @param asker place of the asker
     */
    record Drawn(long lot, int asker, ComparedText document) {}

    /** Counts a pair, and says whether its lot is low enough to be kept. */
    boolean offer(long lot) {
        seen++;
        return lot < highest;
    }

    /** Keeps a pair that may stay. */
    void keep(Drawn pair) {
        drawn.add(pair);
        bytes += pair.document.heldBytes();
        shrink();
    }

    /** Keeps no more than so many. */
    void lower(int newCapacity) {
        capacity = Math.min(capacity, newCapacity);
        shrink();
    }

    private void shrink() {
        while (drawn.size() > capacity) {
            bytes -= drawn.remove().document.heldBytes();
        }
        highest = drawn.size() < capacity ? Long.MAX_VALUE : drawn.element().lot;
    }

    /** Pairs that each one kept stands for, itself included. */
    double weight() {
        return drawn.isEmpty() ? 0 : seen / (double) drawn.size();
    }

    /** Bytes of the documents of the pairs kept; one in several pairs counts as often. */
    long bytes() {
        return bytes;
    }

    Collection<Drawn> pairs() {
        return Collections.unmodifiableCollection(drawn);
    }
}
