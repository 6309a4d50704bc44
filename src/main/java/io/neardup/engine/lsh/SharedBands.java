package io.neardup.engine.lsh;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntToLongFunction;

/**
 * The documents that share a bucket with one document, by their numbers in the table, each with the bands that it
 * shares. They stand in the order of their first addition until {@link #keepMostShared} ranks them. Reusable. Not
 * thread-safe.
 */
public final class SharedBands {
    /** Open addressing: a number, not 0, in the upper half, the bands that it shares in the lower; 0 is free. */
    private long[] slots = new long[64];

    private int shift = shiftFor(slots.length);
    /** The slots in use, in order; half as long as {@code slots}. */
    private int[] used = new int[32];

    private int size;
    private long[] documents = new long[32];

    private static int shiftFor(int capacity) {
        return 1 + Integer.numberOfLeadingZeros(capacity);
    }

    public void clear() {
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

    /** The document at place {@code i}, from 0 to {@link #size()} - 1. */
    public long document(int i) {
        return documents[Objects.checkIndex(i, size)];
    }

    /** How many bands the document at place {@code i} shares, at least 1. */
    public int bandsShared(int i) {
        return (int) slots[used[Objects.checkIndex(i, size)]];
    }

    /** The number of the document at place {@code i}. */
    int number(int i) {
        return number(slots[used[i]]);
    }

    private static int number(long entry) {
        return (int) (entry >> Integer.SIZE);
    }

    /** Takes out the document of a number, if it is here. */
    void remove(int number) {
        int slot = slotOf(number);
        if (slots[slot] != 0) {
            int[] left = new int[size - 1];
            int others = 0;
            for (int i = 0; i < size; i++) {
                if (used[i] != slot) {
                    left[others++] = i;
                }
            }
            arrange(left);
        }
    }

    /** Tells which documents have these numbers: {@link #document} gives them until something changes. */
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
            throw new IllegalArgumentException("expected a max of at least 0, got " + max);
        }
        int dropped = Math.max(0, size - max);
        if (size > 1 || dropped > 0) {
            arrange(Arrays.copyOf(mostSharedFirst(byNumber()), size - dropped));
        }
        return dropped;
    }

    private int mostShared() {
        int most = 0;
        for (int i = 0; i < size; i++) {
            most = Math.max(most, bandsShared(i));
        }
        return most;
    }

    /** The places of all documents, by number. */
    private int[] byNumber() {
        // A number and a place in one: to sort these is all.
        long[] ranked = new long[size];
        for (int i = 0; i < size; i++) {
            ranked[i] = (long) number(i) << Integer.SIZE | i;
        }
        Arrays.sort(ranked);
        int[] places = new int[size];
        for (int i = 0; i < size; i++) {
            places[i] = (int) ranked[i];
        }
        return places;
    }

    /** The places of those that share the most bands first, in the order in which they stand: a counting sort. */
    private int[] mostSharedFirst(int[] byNumber) {
        int most = mostShared();
        int[] next = new int[most + 1];
        for (int i = 0; i < size; i++) {
            next[most - bandsShared(i)]++;
        }
        for (int fewer = 1; fewer <= most; fewer++) {
            next[fewer] += next[fewer - 1];
        }
        int[] ranked = new int[size];
        for (int i = size - 1; i >= 0; i--) {
            ranked[--next[most - bandsShared(byNumber[i])]] = byNumber[i];
        }
        return ranked;
    }

    /** Keeps the documents at these places, in this order. */
    private void arrange(int[] order) {
        long[] entries = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            entries[i] = slots[used[order[i]]];
        }
        clear();
        enter(entries);
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
