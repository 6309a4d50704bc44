package io.neardup.tools.analysis;

import java.util.Arrays;

/** Numbers hashes from 0, in the order in which they are first met, and counts how often each is met. */
final class ShingleNumbers {
    private static final int CAPACITY_MIN = 1 << 10;
    private static final int CAPACITY_MAX = 1 << 30;

    private final int capacityMax;

    /** Open addressing: the number of a hash plus 1, or 0 where it is free. */
    private int[] slots = new int[CAPACITY_MIN];

    private long[] hashes = new long[CAPACITY_MIN / 2];
    private int[] counts = new int[CAPACITY_MIN / 2];
    private int size;

    ShingleNumbers() {
        this(CAPACITY_MAX);
    }

    /** @param capacityMax twice as many hashes as are numbered at the most, a power of two from 1,024 on */
    ShingleNumbers(int capacityMax) {
        this.capacityMax = capacityMax;
    }

    /**
     * The number of a hash, which is met once more.
     *
     * @throws SampleTooLargeException if there are too many different ones
     */
    int meet(long hash) {
        int slot = slotOf(hash);
        if (slots[slot] == 0) {
            slot = append(hash, slot);
        }
        int number = slots[slot] - 1;
        counts[number]++;
        return number;
    }

    /** The number of a hash, or -1 if it was never met. */
    int find(long hash) {
        return slots[slotOf(hash)] - 1;
    }

    /** How often each number was met, at least once. */
    int[] counts() {
        return Arrays.copyOf(counts, size);
    }

    private int append(long hash, int free) {
        int slot = free;
        if (size == hashes.length) {
            grow();
            slot = slotOf(hash);
        }
        hashes[size++] = hash;
        slots[slot] = size;
        return slot;
    }

    private void grow() {
        if (slots.length >= capacityMax) {
            throw new SampleTooLargeException("Different shingles of all documents", capacityMax / 2);
        }
        hashes = Arrays.copyOf(hashes, 2 * size);
        counts = Arrays.copyOf(counts, 2 * size);
        slots = new int[2 * slots.length];
        for (int number = 0; number < size; number++) {
            slots[slotOf(hashes[number])] = number + 1;
        }
    }

    private int slotOf(long hash) {
        int mask = slots.length - 1;
        int slot = (int) hash & mask;
        while (slots[slot] != 0 && hashes[slots[slot] - 1] != hash) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
