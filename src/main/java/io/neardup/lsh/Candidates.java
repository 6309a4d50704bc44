package io.neardup.lsh;

import java.util.Arrays;

/**
 * Documents that share a bucket, and in how many bands; reusable. In the order of their first addition, until {@link
 * #keepBest} sorts them. Not thread-safe.
 */
public final class Candidates {
    private long[] documents = new long[16];
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

    /** Adds {@code bands} to what the document shares. */
    public void add(long document, int bands) {
        int slot = slotOf(document);
        if (places[slot] == 0) {
            append(document, bands, slot);
        } else {
            bandsShared[places[slot] - 1] += bands;
        }
    }

    public boolean has(long document) {
        return places[slotOf(document)] != 0;
    }

    public int size() {
        return size;
    }

    /** The document at place {@code i}, from 0 to {@link #size()} - 1. */
    public long document(int i) {
        return documents[checked(i)];
    }

    /** In how many bands the document at place {@code i} is. */
    public int bandsShared(int i) {
        return bandsShared[checked(i)];
    }

    /**
     * Sorts the documents, most shared bands first, equal ones by the smaller reference, and keeps the first {@code
     * max}.
     *
     * @return how many were dropped
     */
    public int keepBest(int max) {
        if (max < 0) {
            throw new IllegalArgumentException("expected a max of at least 0, got " + max);
        }
        sort();
        int dropped = Math.max(0, size - max);
        size -= dropped;
        index();
        return dropped;
    }

    /** Counting sort by shared bands, of which there are few; then each group by reference. */
    private void sort() {
        int most = 0;
        for (int i = 0; i < size; i++) {
            most = Math.max(most, bandsShared[i]);
        }
        int[] ends = endsOfGroups(most);
        long[] sorted = new long[documents.length];
        for (int i = size - 1; i >= 0; i--) {
            sorted[--ends[most - bandsShared[i]]] = documents[i];
        }
        documents = sorted;
        // The decrements have turned each group's end into its start.
        for (int group = 0; group <= most; group++) {
            int end = group == most ? size : ends[group + 1];
            Arrays.sort(documents, ends[group], end);
            Arrays.fill(bandsShared, ends[group], end, most - group);
        }
    }

    /** Where the documents that share {@code most - g} bands end, for each group g. */
    private int[] endsOfGroups(int most) {
        int[] ends = new int[most + 1];
        for (int i = 0; i < size; i++) {
            ends[most - bandsShared[i]]++;
        }
        for (int group = 1; group <= most; group++) {
            ends[group] += ends[group - 1];
        }
        return ends;
    }

    private void append(long document, int bands, int slot) {
        boolean full = size == documents.length;
        if (full) {
            documents = Arrays.copyOf(documents, 2 * size);
            bandsShared = Arrays.copyOf(bandsShared, 2 * size);
            places = new int[2 * places.length];
        }
        documents[size] = document;
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
