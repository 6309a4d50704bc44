package io.neardup.bench;

import java.util.Arrays;

/** The offsets of a partition's records, rising; a long each. */
final class OffsetList {
    private long[] offsets = new long[1024];
    private int size;

    void add(long offset) {
        if (size == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * size);
        }
        offsets[size++] = offset;
    }

    /** How many of them are below this one. */
    int below(long offset) {
        int found = Arrays.binarySearch(offsets, 0, size, offset);
        return found >= 0 ? found : -found - 1;
    }
}
