package io.neardup.bench;

import io.neardup.engine.text.SplitMix64;

/** Random numbers that depend on the seed alone, on every JDK. */
public final class SeededRandom {
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private final SplitMix64 random;

    public SeededRandom(long seed) {
        random = new SplitMix64(seed);
    }

    /** The numbers of one of many streams under a seed. */
    public static SeededRandom of(long seed, long stream) {
        return new SeededRandom(SplitMix64.mix(seed + GOLDEN * stream));
    }

    /** From 0 to bound - 1. Takes the upper half of the product: no division, and a bias below bound / 2^32. */
    public int below(int bound) {
        return (int) (((random.bits() >>> 32) * bound) >>> 32);
    }

    /** From 0 to below bound, for any number of documents. */
    public long below(long bound) {
        return (long) (fraction() * bound);
    }

    /** From 0 to below 1. */
    public double fraction() {
        return random.unit();
    }

    public boolean chance(double probability) {
        return fraction() < probability;
    }
}
