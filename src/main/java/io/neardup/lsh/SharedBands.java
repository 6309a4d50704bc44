package io.neardup.lsh;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * The documents that share a bucket with one document, each with its number in the table and the bands that it shares.
 * They stand in the order of their first addition until {@link #keepInTurns} ranks them. Reusable. Not thread-safe.
 */
public final class SharedBands {
    private static final int PLACE_BITS = 22;
    private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;
    private static final long AGES_SPAN_MAX = Long.MAX_VALUE >> PLACE_BITS;

    private long[] documents = new long[16];
    private int[] numbers = new int[16];
    private int[] bandsShared = new int[16];
    /** Open addressing, twice as long as {@code documents} or more: place of a document + 1, or 0. */
    private int[] places = new int[64];

    private int size;

    public void clear() {
        if (size > 0) {
            Arrays.fill(places, 0);
            size = 0;
        }
    }

    /** Adds {@code bands} to those that the document shares. */
    public void add(long document, int number, int bands) {
        int slot = slotOf(document);
        if (places[slot] == 0) {
            append(document, number, bands, slot);
        } else {
            bandsShared[places[slot] - 1] += bands;
        }
    }

    private boolean has(long document) {
        return places[slotOf(document)] != 0;
    }

    public int size() {
        return size;
    }

    /** The document at place {@code i}, from 0 to {@link #size()} - 1. */
    public long document(int i) {
        return documents[checked(i)];
    }

    /** How many bands the document at place {@code i} shares, at least 1. */
    public int bandsShared(int i) {
        return bandsShared[checked(i)];
    }

    /** Moves the documents that {@code to} has already, and adds their bands to those there. */
    void moveKnown(SharedBands to) {
        int left = 0;
        for (int i = 0; i < size; i++) {
            if (to.has(documents[i])) {
                to.add(documents[i], numbers[i], bandsShared[i]);
            } else {
                copy(i, left++);
            }
        }
        size = left;
        index();
    }

    void moveAll(SharedBands to) {
        for (int i = 0; i < size; i++) {
            to.add(documents[i], numbers[i], bandsShared[i]);
        }
        clear();
    }

    /**
     * Keeps the first {@code max} in turns. Documents that share the same number of bands are a group, the oldest
     * first. The first turn is the first of each group, the group with the most bands first. The second turn is the
     * second of each, and so on. So a crowd that shares many bands hides nobody who shares fewer.
     *
     * @param age the age by a document's number in the table: the smaller comes first; no two may be equal, nor 2^41
     *     apart
     * @return how many were dropped
     */
    public int keepInTurns(int max, IntToLongFunction age) {
        if (max < 0) {
            throw new IllegalArgumentException("expected a max of at least 0, got " + max);
        }
        int dropped = Math.max(0, size - max);
        if (size > 1 || dropped > 0) {
            int[] ends = groupEnds();
            arrange(turns(mostSharedFirst(oldestFirst(age), ends), ends, size - dropped));
        }
        return dropped;
    }

    /**
     * Keeps the first turn of {@link #keepInTurns} alone, without sorting.
     *
     * @return how many were dropped
     */
    int keepFirstTurn(IntToLongFunction age) {
        int[] first = new int[mostShared() + 1];
        Arrays.fill(first, -1);
        for (int i = 0; i < size; i++) {
            int other = first[bandsShared[i]];
            if (other < 0 || age.applyAsLong(numbers[i]) < age.applyAsLong(numbers[other])) {
                first[bandsShared[i]] = i;
            }
        }
        int before = size;
        arrange(Arrays.stream(first).filter(place -> place >= 0).toArray());
        return before - size;
    }

    private int mostShared() {
        int most = 0;
        for (int i = 0; i < size; i++) {
            most = Math.max(most, bandsShared[i]);
        }
        return most;
    }

    /** The places of all documents, the oldest first. */
    private int[] oldestFirst(IntToLongFunction age) {
        long[] ages = new long[size];
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (int i = 0; i < size; i++) {
            ages[i] = age.applyAsLong(numbers[i]);
            least = Math.min(least, ages[i]);
            most = Math.max(most, ages[i]);
        }
        if (most - least < 0 || most - least > AGES_SPAN_MAX) {
            throw new IllegalArgumentException(
                    "expected ages at most " + AGES_SPAN_MAX + " apart, got " + least + " and " + most);
        }
        // An age and a place in one number: to sort these is all.
        for (int i = 0; i < size; i++) {
            ages[i] = (ages[i] - least) << PLACE_BITS | i;
        }
        Arrays.sort(ages);
        int[] oldestFirst = new int[size];
        for (int i = 0; i < size; i++) {
            oldestFirst[i] = (int) ages[i] & PLACE_MASK;
            if (i > 0 && ages[i] >>> PLACE_BITS == ages[i - 1] >>> PLACE_BITS) {
                throw new IllegalArgumentException(
                        "expected documents of different ages, got two of " + (least + (ages[i] >>> PLACE_BITS)));
            }
        }
        return oldestFirst;
    }

    /** Where each group ends, the group with the most bands first. */
    private int[] groupEnds() {
        int most = mostShared();
        int[] ends = new int[most + 1];
        for (int i = 0; i < size; i++) {
            ends[most - bandsShared[i]]++;
        }
        for (int group = 1; group <= most; group++) {
            ends[group] += ends[group - 1];
        }
        return ends;
    }

    /** The places group by group, in each the oldest first: a stable counting sort. */
    private int[] mostSharedFirst(int[] byAge, int[] groupEnds) {
        int most = groupEnds.length - 1;
        int[] next = groupEnds.clone();
        int[] grouped = new int[size];
        for (int i = size - 1; i >= 0; i--) {
            grouped[--next[most - bandsShared[byAge[i]]]] = byAge[i];
        }
        return grouped;
    }

    /** The first {@code count} places in turns. */
    private static int[] turns(int[] grouped, int[] groupEnds, int count) {
        int[] inTurns = new int[count];
        int taken = 0;
        for (int turn = 0; taken < count; turn++) {
            int start = 0;
            for (int group = 0; group < groupEnds.length && taken < count; group++) {
                if (start + turn < groupEnds[group]) {
                    inTurns[taken++] = grouped[start + turn];
                }
                start = groupEnds[group];
            }
        }
        return inTurns;
    }

    /** Keeps the documents at these places, in this order. */
    private void arrange(int[] order) {
        long[] oldDocuments = Arrays.copyOf(documents, size);
        int[] oldNumbers = Arrays.copyOf(numbers, size);
        int[] oldBandsShared = Arrays.copyOf(bandsShared, size);
        for (int i = 0; i < order.length; i++) {
            documents[i] = oldDocuments[order[i]];
            numbers[i] = oldNumbers[order[i]];
            bandsShared[i] = oldBandsShared[order[i]];
        }
        size = order.length;
        index();
    }

    private void copy(int from, int to) {
        documents[to] = documents[from];
        numbers[to] = numbers[from];
        bandsShared[to] = bandsShared[from];
    }

    private void append(long document, int number, int bands, int slot) {
        boolean full = size == documents.length;
        if (full) {
            documents = Arrays.copyOf(documents, 2 * size);
            numbers = Arrays.copyOf(numbers, 2 * size);
            bandsShared = Arrays.copyOf(bandsShared, 2 * size);
            places = new int[2 * places.length];
        }
        documents[size] = document;
        numbers[size] = number;
        bandsShared[size] = bands;
        size++;
        if (full) {
            index();
        } else {
            places[slot] = size;
        }
    }

    private void index() {
        Arrays.fill(places, 0);
        for (int i = 0; i < size; i++) {
            places[slotOf(documents[i])] = i + 1;
        }
    }

    private int slotOf(long document) {
        int mask = places.length - 1;
        long product = document * 0x9E37_79B9_7F4A_7C15L;
        int slot = (int) (product >>> 32) & mask;
        while (places[slot] != 0 && documents[places[slot] - 1] != document) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private int checked(int i) {
        if (i < 0 || i >= size) {
            throw new IndexOutOfBoundsException("expected an index below " + size + ", got " + i);
        }
        return i;
    }
}
