package io.neardup.engine.lsh;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntToLongFunction;

/**
 * The documents that share a bucket with one document, by their numbers in the table, each with the count of bands that
 * it shares. They are in the order of their first addition until {@link #keepMostShared} ranks them. Reusable. Not
 * thread-safe.
 */
public final class SharedBands {
    /** Open addressing: a number, not 0, in the upper half, the count of bands in the lower; 0 is free. */
    private long[] slots = new long[64];

    private int shift = shiftFor(slots.length);
    /** The slots in use, in order; half as long as {@code slots}. */
    private int[] used = new int[32];

    private int size;
    private long[] documents = new long[32];

    private static int shiftFor(int capacity) {
        return 1 + Integer.numberOfLeadingZeros(capacity);
    }

    void clear() {
        for (int i = 0; i < size; i++) {
            slots[used[i]] = 0;
        }
        size = 0;
    }

    /** The document of a number shares one band more. */
    void add(int number) {
        int slot = slotOf(number);
        if (slots[slot] == 0) {
            if (size == used.length) {
                grow();
                slot = slotOf(number);
            }
            slots[slot] = (long) number << Integer.SIZE;
            used[size++] = slot;
        }
        slots[slot]++;
    }

    private void grow() {
        long[] entries = entries();
        slots = new long[2 * slots.length];
        shift = shiftFor(slots.length);
        used = new int[2 * used.length];
        enter(entries);
    }

    private long[] entries() {
        long[] entries = new long[size];
        for (int i = 0; i < size; i++) {
            entries[i] = slots[used[i]];
        }
        return entries;
    }

    private void enter(long[] entries) {
        for (int i = 0; i < entries.length; i++) {
            used[i] = slotOf(number(entries[i]));
            slots[used[i]] = entries[i];
        }
        size = entries.length;
    }

    public int size() {
        return size;
    }

    /** The document at index {@code i}, from 0 to {@link #size()} - 1. */
    public long document(int i) {
        return documents[Objects.checkIndex(i, size)];
    }

    /** How many bands the document at index {@code i} shares, at least 1. */
    public int bandsShared(int i) {
        return (int) slots[used[Objects.checkIndex(i, size)]];
    }

    /** The number of the document at index {@code i}. */
    int number(int i) {
        return number(slots[used[i]]);
    }

    private static int number(long entry) {
        return (int) (entry >> Integer.SIZE);
    }

    /** Removes the document of a number, if it is here. */
    void remove(int number) {
        if (slots[slotOf(number)] != 0) {
            keep(Arrays.stream(entries())
                    .filter(entry -> number(entry) != number)
                    .toArray());
        }
    }

    private void keep(long[] entries) {
        clear();
        enter(entries);
    }

    /** Resolves numbers to documents: {@link #document} returns them until something changes. */
    void name(IntToLongFunction documentOf) {
        documents = documents.length < size ? new long[used.length] : documents;
        for (int i = 0; i < size; i++) {
            documents[i] = documentOf.applyAsLong(number(i));
        }
    }

    /**
     * Keeps the first {@code max} of those that share the most bands, of equals those with the smallest numbers.
     *
     * @return how many were dropped
     */
    int keepMostShared(int max) {
        if (max < 0) {
            throw new IllegalArgumentException("expected a max of at least 0, found " + max);
        }
        int dropped = Math.max(0, size - max);
        if (size <= 1 && dropped == 0) {
            return 0; // Most often: there is nothing to rank.
        }
        long[] ranked = new long[size];
        // To sort these ranks them: what is small for many bands above a number.
        for (int i = 0; i < ranked.length; i++) {
            ranked[i] = (long) (Integer.MAX_VALUE - bandsShared(i)) << Integer.SIZE | number(i);
        }
        Arrays.sort(ranked);
        for (int i = 0; i < ranked.length; i++) {
            ranked[i] = ranked[i] << Integer.SIZE | (Integer.MAX_VALUE - (ranked[i] >>> Integer.SIZE));
        }
        keep(Arrays.copyOf(ranked, ranked.length - dropped));
        return dropped;
    }

    private int slotOf(int number) {
        int mask = slots.length - 1;
        int slot = (number * 0x9E37_79B9) >>> shift;
        while (slots[slot] != 0 && number(slots[slot]) != number) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
