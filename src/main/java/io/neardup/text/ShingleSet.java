package io.neardup.text;

import java.util.Arrays;

/** The distinct shingle hashes of a text, sorted: what the exact Jaccard similarity is defined on. Immutable. */
public final class ShingleSet {
    private final long[] hashes;

    private ShingleSet(long[] hashes) {
        this.hashes = hashes;
    }

    public static ShingleSet of(Shingles shingles) {
        long[] sorted = Arrays.copyOf(shingles.array(), shingles.size());
        Arrays.sort(sorted);
        int distinct = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                sorted[distinct++] = sorted[i];
            }
        }
        return new ShingleSet(Arrays.copyOf(sorted, distinct));
    }

    public int size() {
        return hashes.length;
    }

    /** The hash at a place in the sorted order, from 0 to size - 1. */
    public long hash(int i) {
        return hashes[i];
    }

    /** How many shingles both have. */
    public int shared(ShingleSet other) {
        return common(hashes, other.hashes);
    }

    /** The share of these shingles that the other set has too, 0 to 1; 0 of an empty set. */
    public double containmentIn(ShingleSet other) {
        return hashes.length == 0 ? 0 : shared(other) / (double) hashes.length;
    }

    /** Shared shingles over all shingles of both, 0 to 1; 0 when both are empty, so that nothing matches an empty text. */
    public double jaccard(ShingleSet other) {
        int common = shared(other);
        int union = hashes.length + other.hashes.length - common;
        return union == 0 ? 0 : common / (double) union;
    }

    private static int common(long[] a, long[] b) {
        int common = 0;
        for (int i = 0, j = 0; i < a.length && j < b.length; ) {
            if (a[i] == b[j]) {
                common++;
                i++;
                j++;
            } else if (a[i] < b[j]) {
                i++;
            } else {
                j++;
            }
        }
        return common;
    }
}
