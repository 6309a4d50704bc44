package io.neardup.sketch;

import io.neardup.text.Shingles;
import java.util.Arrays;

/**
 * A set of hashes with open addressing that others are compared with, one after another. The other's hashes join the table
 * for the time of the comparison, which counts its distinct ones; then they leave in reverse order, so that every probe
 * sequence is as before.
 */
final class HashTable {
    /** Stands for the hash 0, which marks a free slot. */
    private static final long ZERO = 0x5851F42D4C957F2DL;

    /** Smaller sets get twice the room: fewer probes that no predictor foresees, in a table that the L2 cache holds. */
    private static final int ROOMY_MAX = 1 << 14;
    /** A table larger than this, 3 MB, goes when a smaller one will do. */
    private static final int CAPACITY_KEPT = 1 << 18;

    private long[] keys = new long[0];
    /** The comparison in which a slot's hash was last met. */
    private int[] met = new int[0];

    private int[] guests = new int[0];
    private int mask;
    private int size;
    private int comparison;

    /** Replaces the set. */
    void load(Shingles shingles) {
        reset(shingles.size() < ROOMY_MAX ? 8L * shingles.size() : 4L * shingles.size());
        insertAll(shingles);
    }

    /** Shared distinct hashes over all distinct hashes; 0 when both sides are empty. */
    double jaccard(Shingles others) {
        if (mask + 1 < 2L * ((long) size + others.size())) {
            grow(2L * ((long) size + others.size()));
        }
        if (guests.length < others.size()) {
            guests = new int[others.size()];
        }
        nextComparison();
        int common = 0;
        int guestCount = 0;
        for (int i = 0; i < others.size(); i++) {
            long key = key(others.hash(i));
            int slot = slotOf(key);
            if (keys[slot] == 0) {
                keys[slot] = key;
                guests[guestCount++] = slot;
            } else if (met[slot] != comparison) {
                common++;
            }
            met[slot] = comparison;
        }
        int union = size + guestCount;
        while (guestCount > 0) {
            keys[guests[--guestCount]] = 0;
        }
        return union == 0 ? 0 : common / (double) union;
    }

    /** Slots keep the numbers of earlier comparisons, until the numbers start again. */
    private void nextComparison() {
        comparison++;
        if (comparison == 0) {
            Arrays.fill(met, 0);
            comparison = 1;
        }
    }

    private void insertAll(Shingles shingles) {
        for (int i = 0; i < shingles.size(); i++) {
            insert(key(shingles.hash(i)));
        }
    }

    private void insert(long key) {
        int slot = slotOf(key);
        if (keys[slot] == 0) {
            keys[slot] = key;
            size++;
        }
    }

    /** The slot that holds a key, or the free one where it belongs. The hashes are well mixed: their low bits will do. */
    private int slotOf(long key) {
        int slot = (int) key & mask;
        while (keys[slot] != key && keys[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow(long capacityMin) {
        long[] old = Arrays.copyOf(keys, mask + 1);
        reset(capacityMin);
        for (long key : old) {
            if (key != 0) {
                insert(key);
            }
        }
    }

    private void reset(long capacityMin) {
        if (capacityMin > 1 << 30) {
            throw new IllegalArgumentException(
                    "Table of " + capacityMin + " slots for the shingles of two texts: expected at most 2^30");
        }
        int capacity = Math.max(64, Integer.highestOneBit((int) capacityMin) << 1);
        boolean wasteful = keys.length > CAPACITY_KEPT && capacity <= CAPACITY_KEPT;
        if (keys.length < capacity || wasteful) {
            keys = new long[capacity];
            met = new int[capacity];
        } else {
            Arrays.fill(keys, 0, capacity, 0);
        }
        mask = capacity - 1;
        size = 0;
    }

    private static long key(long hash) {
        return hash == 0 ? ZERO : hash;
    }
}
