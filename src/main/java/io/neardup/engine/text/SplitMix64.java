package io.neardup.engine.text;

/** Random numbers from a seed by SplitMix64 (Steele, Lea and Flood 2014), the same ones on every machine. */
public final class SplitMix64 {
    static final long STEP = 0x9E3779B97F4A7C15L;
    private static final double UNIT = 0x1p-53;

    private long state;

    public SplitMix64(long seed) {
        state = seed;
    }

    /** 64 random bits. */
    public long bits() {
        state += STEP;
        return mix(state);
    }

    /** Uniform from 0 up to but not including 1. */
    public double unit() {
        return (bits() >>> 11) * UNIT;
    }

    /** Uniform from 0 up to but not including a bound of at most 2^20, but for one part in 2^33. */
    public int below(int bound) {
        return (int) (unit() * bound);
    }

    /**
     * Of the standard normal distribution, by Box and Muller 1958. StrictMath, as Math may differ between machines in
     * the last bit.
     */
    public double normal() {
        double radius = Math.sqrt(-2 * StrictMath.log(1 - unit()));
        return radius * StrictMath.cos(2 * Math.PI * unit());
    }

    /** The finaliser of SplitMix64, constants of Stafford's variant 13. */
    public static long mix(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
