package io.neardup.engine.text;

/**
 * A set of token hashes: open addressing with linear probing, at most a quarter full. The hashes are keyed by a secret
 * seed, so nobody can choose words that make the probes long. 0 marks an empty slot; a token hashes to it with
 * probability 2^-64.
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

    /** 1 for a hash in the set, else 0; a comparison would become a branch that is mispredicted at every other word. */
    int count(long hash) {
        return 1 - bit(slots[slotOf(hash)] ^ hash);
    }

    /** Where the hash is or would be. */
    private int slotOf(long hash) {
        int slot = (int) hash & mask;
        while ((bit(slots[slot]) & bit(slots[slot] ^ hash)) != 0) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    /** 0 for 0, else 1. */
    private static int bit(long value) {
        return (int) ((value | -value) >>> 63);
    }
}
