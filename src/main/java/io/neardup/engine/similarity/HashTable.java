package io.neardup.engine.similarity;

import io.neardup.engine.text.Overlap;
import io.neardup.engine.text.Shingles;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * A set of hashes that others are compared with, one after another. The distinct hashes stand in the order of the text,
 * and a table with open addressing says where each is. Texts that are worth comparing share long runs, so a hash is
 * first looked for behind the one found last, and only then in the table.
 *
 * <p>During a comparison the other's hashes join the set, so that its distinct ones are counted. Then they leave in
 * reverse order, which leaves every probe sequence as before.
 */
final class HashTable {
    /**
     * Up to this size a set gets twice the room: fewer probes, which no predictor foresees, in a table that the L2
     * cache still holds.
     */
    private static final int ROOMY_MAX = 1 << 14;

    private static final int CAPACITY_MIN = 64;
    /** After so many hashes a comparison looks whether it can still become good enough. */
    private static final int HASHES_A_LOOK = 256;
    /** A table larger than this, 1 MB, is dropped when a smaller one will do. */
    static final int CAPACITY_KEPT = 1 << 18;

    /** The place of a hash in {@code distinct}, plus 1; 0 is free. */
    private int[] slots = new int[0];

    private long[] distinct = new long[0];
    /** The comparison in which a hash was last met. */
    private int[] met = new int[0];

    private int[] guestSlots = new int[0];
    /** Behind the other's hashes that joined the set. */
    private int guestsEnd;

    private int mask;
    private int size;
    private int comparison;

    /** Replaces the set. */
    void load(Shingles shingles) {
        int count = shingles.size();
        clear(count);
        long[] hashes = shingles.array();
        // Local copies, here and below: the compiler reads fields anew after each store.
        int[] table = slots;
        long[] known = distinct;
        int places = 0;
        for (int i = 0; i < count; i++) {
            long hash = hashes[i];
            int slot = slotOf(hash, table, known, mask);
            if (table[slot] == 0) {
                known[places++] = hash;
                table[slot] = places;
            }
        }
        size = places;
    }

    /** Empties the set, for so many hashes. */
    void clear(int count) {
        reset(count < ROOMY_MAX ? 8L * count : 4L * count);
        makeRoom(count);
    }

    /** Makes room for so many hashes more. */
    void makeRoomFor(int count) {
        if (mask + 1 < 2L * ((long) size + count)) {
            grow(2L * ((long) size + count));
        }
        makeRoom(size + count);
    }

    /** The place of a hash; it joins the set, behind all others, where it is none of it. There must be room. */
    int join(long hash) {
        int slot = slotOf(hash, slots, distinct, mask);
        if (slots[slot] == 0) {
            distinct[size] = hash;
            slots[slot] = ++size;
        }
        return slots[slot] - 1;
    }

    /** Forgets those that joined last. */
    void shrink(int sizeNow) {
        while (size > sizeNow) {
            size--;
            slots[slotOf(distinct[size], slots, distinct, mask)] = 0;
        }
    }

    int size() {
        return size;
    }

    /**
     * The distinct hashes of the set and behind them, until the next comparison, those that only the other set of the
     * last one has: the backing array, not a copy.
     */
    long[] distinct() {
        return distinct;
    }

    /** 1 if the set compared last has the hash at a place too, else 0. */
    int isShared(int place) {
        return met[place] == comparison ? 1 : 0;
    }

    /**
     * The overlap of this set, as the first, and another, as the second, given up where it cannot become good enough.
     *
     * @param isEnough whether an overlap is good enough; if it is not, none is that has less in common, or of which the
     *     second has more. It is asked about the best that can still come
     * @return where it was given up, one that is not good enough
     */
    Overlap overlap(Shingles others, Predicate<Overlap> isEnough) {
        int count = others.size();
        makeRoomFor(count);
        nextComparison();
        int common = 0;
        int end = size;
        Overlap best = best(common, end, count);
        for (int from = 0; from < count && isEnough.test(best); from += HASHES_A_LOOK) {
            int to = Math.min(count, from + HASHES_A_LOOK);
            common += meet(others.array(), from, to, end);
            end = guestsEnd;
            best = best(common, end, count - to);
        }
        for (int guest = end - size - 1; guest >= 0; guest--) {
            slots[guestSlots[guest]] = 0;
        }
        return best;
    }

    /** The overlap if all hashes that are left are in common, as far as there are as many. */
    private Overlap best(int common, int guestsEnd, int left) {
        int shared = Math.min(size, common + left);
        return new Overlap(size, guestsEnd - size + shared, shared);
    }

    /**
     * Looks for some of the other's hashes; those that are not in the set join it from {@code guestsFrom} on, up to
     * {@link #guestsEnd}.
     *
     * @return how many of the set's hashes were met for the first time
     */
    private int meet(long[] hashes, int from, int to, int guestsFrom) {
        int[] table = slots;
        long[] known = distinct;
        int[] lastMet = met;
        int own = size;
        int common = 0;
        int end = guestsFrom;
        int next = 0;
        for (int i = from; i < to; i++) {
            long hash = hashes[i];
            if (next == end || known[next] != hash) {
                int slot = slotOf(hash, table, known, mask);
                if (table[slot] == 0) {
                    guestSlots[end - own] = slot;
                    known[end++] = hash;
                    table[slot] = end;
                }
                next = table[slot] - 1;
            }
            if (next < own && lastMet[next] != comparison) {
                lastMet[next] = comparison;
                common++;
            }
            next++;
        }
        guestsEnd = end;
        return common;
    }

    /** The numbers of earlier comparisons stay until the counter comes round to 0, when all are cleared. */
    private void nextComparison() {
        comparison++;
        if (comparison == 0) {
            Arrays.fill(met, 0);
            comparison = 1;
        }
    }

    /**
     * The slot of a hash, or the free one where it belongs. The hashes are well mixed, so their low bits choose the
     * slot.
     */
    private static int slotOf(long hash, int[] table, long[] known, int mask) {
        int slot = (int) hash & mask;
        while (table[slot] != 0 && known[table[slot] - 1] != hash) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow(long capacityMin) {
        int present = size;
        reset(capacityMin);
        while (size < present) {
            slots[slotOf(distinct[size], slots, distinct, mask)] = ++size;
        }
    }

    /** Empties the slots, and makes them the least power of two that is at least {@code capacityMin}. */
    private void reset(long capacityMin) {
        if (capacityMin > 1 << 30) {
            throw new IllegalArgumentException(
                    "Table of " + capacityMin + " slots for the shingles of two texts: expected at most 2^30");
        }
        int capacity = CAPACITY_MIN;
        while (capacity < capacityMin) {
            capacity <<= 1;
        }
        boolean wasteful = slots.length > CAPACITY_KEPT && capacity <= CAPACITY_KEPT;
        if (slots.length < capacity || wasteful) {
            slots = new int[capacity];
        } else {
            Arrays.fill(slots, 0, capacity, 0);
        }
        mask = capacity - 1;
        size = 0;
    }

    private void makeRoom(int hashes) {
        boolean wasteful = distinct.length > CAPACITY_KEPT && hashes <= CAPACITY_KEPT / 2;
        if (distinct.length < hashes || wasteful) {
            int room = hashes + (hashes >> 1);
            distinct = Arrays.copyOf(distinct, room);
            met = Arrays.copyOf(met, room);
            guestSlots = new int[room];
        }
    }
}
