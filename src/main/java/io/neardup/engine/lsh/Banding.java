package io.neardup.engine.lsh;

/**
 * A signature cut into bands of some rows each. Documents whose signatures agree on every row of a band share that
 * band's bucket: with 26 bands of 5 rows they share one with probability 0.9916 at similarity 0.7, and 8.3e-8 at 0.02.
 *
 * <p>The probability that two documents share at least one bucket, as a function of their similarity s, is the S-curve
 * 1 - (1 - s^r)^b for b bands of r rows (Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, chapter 3.4). Tiny
 * probabilities keep their digits.
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
        if ((long) bands * rows > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "Banding of " + bands + " bands x " + rows + " rows: expected at most 2^31 - 1 values in all");
        }
    }

    /** The signature values that are used. */
    public int hashes() {
        return bands * rows;
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

    /** The probability of sharing a bucket at a similarity from 0 to 1. */
    public double probability(double similarity) {
        requireShare("similarity", similarity);
        return -Math.expm1(bands * Math.log1p(-Math.pow(similarity, rows)));
    }

    /**
     * The inverse of {@link #probability}: the similarity at which a bucket is shared with a probability from 0 to 1.
     */
    public double similarityAt(double probability) {
        requireShare("probability", probability);
        return Math.pow(-Math.expm1(Math.log1p(-probability) / bands), 1.0 / rows);
    }

    /**
     * The usual rule of thumb for where the curve rises, (1/b)^(1/r): there the probability is 1 - (1 - 1/b)^b, 0.63 to
     * 1.
     */
    public double threshold() {
        return Math.pow(bands, -1.0 / rows);
    }

    /** The similarity at which the curve is steepest, ((r - 1) / (br - 1))^(1/r); 0 for one row. */
    public double steepest() {
        return rows == 1 ? 0 : Math.pow((rows - 1.0) / ((double) bands * rows - 1), 1.0 / rows);
    }

    /** The slope of the curve at a similarity from 0 to 1. */
    public double slope(double similarity) {
        requireShare("similarity", similarity);
        double none = Math.pow(1 - Math.pow(similarity, rows), bands - 1);
        return (double) rows * bands * none * Math.pow(similarity, rows - 1);
    }

    private static void requireShare(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("S-curve: " + name + " " + value + ", expected 0 to 1");
        }
    }
}
