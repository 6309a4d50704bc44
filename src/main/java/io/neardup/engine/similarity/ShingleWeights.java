package io.neardup.engine.similarity;

/**
 * The weight of one occurrence of each shingle: a positive whole number. Only the ratios of weights matter. Made for
 * the hashes of one seed. Immutable, and safe for use by several threads.
 */
public final class ShingleWeights {
    /** Every occurrence weighs the same: a shingle's weight in a text is its term frequency. */
    public static final ShingleWeights EQUAL = new ShingleWeights(0, 1);

    private final long[] hashes;
    /** 0 is a free slot. */
    private final int[] weights;

    private final int mask;
    private final int otherWeight;

    /**
     * Weights for a number of shingles, to be filled by {@link #put} before anyone else sees it.
     *
     * @param otherWeight of shingles that were not put, at least 1
     */
    ShingleWeights(int shingles, int otherWeight) {
        int capacity = Math.max(2, Integer.highestOneBit(Math.multiplyExact(2, shingles)) << 1);
        this.hashes = new long[capacity];
        this.weights = new int[capacity];
        this.mask = capacity - 1;
        this.otherWeight = otherWeight;
    }

    /** Sets a weight, at least 1. Of a shingle that is put again the least weight counts. */
    void put(long hash, int weight) {
        int slot = slotOf(hash);
        weights[slot] = weights[slot] == 0 ? weight : Math.min(weight, weights[slot]);
        hashes[slot] = hash;
    }

    /** The weight of one occurrence, at least 1. */
    public int of(long hash) {
        int weight = weights[slotOf(hash)];
        return weight == 0 ? otherWeight : weight;
    }

    boolean areEqual() {
        return this == EQUAL;
    }

    private int slotOf(long hash) {
        int slot = (int) hash & mask;
        while (weights[slot] != 0 && hashes[slot] != hash) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
