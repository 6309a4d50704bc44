package io.neardup.text;

/**
 * A set of hashes of tokens: open addressing with linear probing, a quarter full. The hashes are keyed by a secret seed, so that
 * nobody can choose words that make the probes long. An empty slot is 0, which a token hashes to with probability 2^-64.
 */
final class HashedTokens {
    private final long[] slots;
    private final int mask;

    /** Room for a number of hashes. */
    HashedTokens(int size) {
        this.slots = new long[Integer.highestOneBit(Math.max(1, size)) * 8];
        this.mask = slots.length - 1;
    }

    void add(long hash) {
        slots[slotOf(hash)] = hash;
    }

    boolean contains(long hash) {
        return slots[slotOf(hash)] == hash;
    }

    /** Where the hash is or would be. */
    private int slotOf(long hash) {
        int slot = (int) hash & mask;
        while (slots[slot] != 0 && slots[slot] != hash) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
