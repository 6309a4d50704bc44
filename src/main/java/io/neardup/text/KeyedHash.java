package io.neardup.text;

/**
 * The hashing that the shinglers share, all of it under keys drawn from the secret seed: units to random-looking 64-bit
 * values, and windows of k units to shingle hashes.
 *
 * <p>A window's hash is the polynomial of its units over the integers mod 2^64 (Karp and Rabin 1987), rolled from window to
 * window, then finalised with two multiplications. Mod 2^64 a polynomial of plain characters is weak: its low bits see the
 * characters' low bits alone, and Thue-Morse words collide under every multiplier. Hence the units are secret values, and
 * the multiplier is 3 mod 8, so that such words of 8 units lose 8 of 64 bits and no more (of 64 units 26).
 */
final class KeyedHash {
    private static final int TABLE_SIZE = 0x800;

    private final int window;
    private final long unitKey;
    private final long multiplier;
    private final long finalKey;
    private final long multiplierToWindow;
    /** The values of the scripts that words are most often written in, from Latin to Arabic. */
    private final long[] table = new long[TABLE_SIZE];

    KeyedHash(int window, long seed) {
        this.window = window;
        this.unitKey = mix(seed);
        this.multiplier = (mix(unitKey ^ seed) & ~7L) | 3;
        this.finalKey = mix(multiplier + unitKey);
        long power = 1;
        for (int i = 0; i < window; i++) {
            power *= multiplier;
        }
        this.multiplierToWindow = power;
        for (int c = 0; c < TABLE_SIZE; c++) {
            table[c] = mix(unitKey + c);
        }
    }

    /** The secret value of a code point. */
    long codePoint(int codePoint) {
        return codePoint < TABLE_SIZE ? table[codePoint] : mix(unitKey + codePoint);
    }

    /** One step of the polynomial: the hash of a run of units and one more. */
    long append(long hash, long unit) {
        return hash * multiplier + unit;
    }

    /** Well-mixed bits of a polynomial over a number of units. */
    long finish(long hash, int units) {
        return mix(hash + finalKey * units);
    }

    /** Adds the hash of every window of the first n units, or of all of them when they are fewer than a window. */
    void windows(long[] units, int n, Shingles into) {
        int first = Math.min(window, n);
        if (first == 0) {
            return;
        }
        long hash = 0;
        for (int i = 0; i < first; i++) {
            hash = append(hash, units[i]);
        }
        into.add(finish(hash, first));
        roll(units, n, hash, into);
    }

    private void roll(long[] units, int n, long firstHash, Shingles into) {
        int at = into.size();
        int count = Math.max(0, n - window);
        long[] hashes = into.extend(count);
        // Locals: the compiler cannot know that the stores leave the fields alone.
        int width = window;
        long times = multiplier;
        long out = multiplierToWindow;
        long hash = firstHash;
        for (int i = 0; i < count; i++) {
            hash = hash * times + (units[i + width] - units[i] * out);
            hashes[at + i] = hash;
        }
        // A loop of its own, as this one can be vectorised and the other cannot.
        long key = finalKey * width;
        for (int i = at; i < at + count; i++) {
            hashes[i] = mix(hashes[i] + key);
        }
    }

    /** The finaliser of SplitMix64 (Steele, Lea and Flood 2014, constants of Stafford's variant 13) on a step of its own. */
    static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
