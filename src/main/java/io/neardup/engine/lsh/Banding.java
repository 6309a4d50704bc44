package io.neardup.engine.lsh;

/**
 * A signature cut into bands of some rows each. Documents whose signatures agree on every row of a band share that
 * band's bucket: with 26 bands of 5 rows they share one with probability 0.9916 at similarity 0.7, and 8.3e-8 at 0.02
 * ({@link SCurve}).
 *
 * @param bands at least 1
 * @param rows signature values in a band, at least 1
 */
public record Banding(int bands, int rows) {
    /** Version of the bucket keys; an index built with another cannot be searched. */
    public static final int VERSION = 1;

    public Banding {
        if (bands < 1 || rows < 1) {
            throw new IllegalArgumentException(
                    "Banding of " + bands + " bands x " + rows + " rows: expected at least 1 of each");
        }
        Math.multiplyExact(bands, rows);
    }

    /** The signature values that are used. */
    public int hashes() {
        return bands * rows;
    }

    /** The chance that two documents share a bucket, as a function of their similarity. */
    public SCurve curve() {
        return new SCurve(bands, rows);
    }

    /**
     * The bucket of a signature in each band. A key is the hash of the band number and the band's values, every bit of
     * it well mixed: equal values in two bands give unlike keys, and unlike rows share a key with probability 2^-64.
     *
     * @param signatureValues at least {@link #hashes()} values; more are left unused
     */
    public BandKeys keys(int[] signatureValues) {
        if (signatureValues.length < hashes()) {
            throw new IllegalArgumentException("Signature of " + signatureValues.length + " values: expected at least "
                    + hashes() + " for " + bands + " bands x " + rows + " rows");
        }
        long[] keys = new long[bands];
        for (int band = 0; band < bands; band++) {
            keys[band] = key(band, signatureValues);
        }
        return BandKeys.owning(keys);
    }

    private long key(int band, int[] values) {
        long hash = mix(band + 1);
        int end = (band + 1) * rows;
        for (int i = band * rows; i < end; i++) {
            hash = (hash ^ values[i]) * 0x9FB21C651E98DF25L;
            hash ^= hash >>> 29;
        }
        return mix(hash);
    }

    private static long mix(long value) {
        long z = (value ^ (value >>> 33)) * 0xFF51AFD7ED558CCDL;
        z = (z ^ (z >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return z ^ (z >>> 33);
    }
}
