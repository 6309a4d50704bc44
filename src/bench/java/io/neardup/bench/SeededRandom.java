package io.neardup.bench;

/** Random numbers that depend on the seed alone, on every JDK: SplitMix64 (Steele, Lea, Flood 2014). */
public final class SeededRandom {
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private long state;

    public SeededRandom(long seed) {
        this.state = seed;
    }

    /** The numbers of one of many streams under a seed. */
    public static SeededRandom of(long seed, long stream) {
        return new SeededRandom(mix(seed + GOLDEN * stream));
    }

    public long next() {
        state += GOLDEN;
        return mix(state);
    }

    /** From 0 to bound - 1. Takes the upper half of the product: no division, and a bias below bound / 2^32. */
    public int below(int bound) {
        return (int) (((next() >>> 32) * bound) >>> 32);
    }

    /** From 0 to below bound, for any number of documents. */
    public long below(long bound) {
        return (long) (fraction() * bound);
    }

    /** From 0 to below 1. */
    public double fraction() {
        return (next() >>> 11) * 0x1.0p-53;
    }

    public boolean chance(double probability) {
        return fraction() < probability;
    }

    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return z ^ (z >>> 31);
    }
}
