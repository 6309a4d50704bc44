package io.neardup.engine.lsh;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A document's bucket in each band, as a 64-bit key a band. Immutable. */
public final class BandKeys {
    private final long[] keys;

    private BandKeys(long[] keys) {
        this.keys = keys;
    }

    /** The keys of bands 0, 1, ..., in the array itself, which the caller must not change any more. */
    public static BandKeys owning(long[] keys) {
        return new BandKeys(keys);
    }

    /** The keys of these bands, in the order given. */
    public BandKeys select(int[] someBands) {
        long[] some = new long[someBands.length];
        for (int i = 0; i < some.length; i++) {
            some[i] = keys[someBands[i]];
        }
        return new BandKeys(some);
    }

    /**
     * The keys of the same signature within a scope. Equal keys of two scopes become unlike, as two random hashes of 64
     * bits are.
     */
    public BandKeys within(long scope) {
        long[] scoped = new long[keys.length];
        for (int i = 0; i < keys.length; i++) {
            scoped[i] = keys[i] ^ scope;
        }
        return new BandKeys(scoped);
    }

    public int bands() {
        return keys.length;
    }

    public long key(int band) {
        return keys[band];
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BandKeys bandKeys && Arrays.equals(keys, bandKeys.keys);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(keys);
    }

    @Override
    public String toString() {
        return "BandKeys[" + keys.length + " bands]";
    }
}
