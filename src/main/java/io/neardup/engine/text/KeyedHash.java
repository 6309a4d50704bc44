package io.neardup.engine.text;

/**
 * The hashing that the shinglers share: units to random-looking 64-bit values, runs of units to well-mixed hashes. All
 * of it is under keys drawn from the secret seed.
 *
 * <p>The hash of a run is the polynomial of its units over the integers mod 2^64 (Karp and Rabin 1987). A
 * {@link RollingHash} rolls it; two multiplications finalise it. Mod 2^64 a polynomial of plain characters is weak: its
 * low bits depend on the characters' low bits alone, and Thue-Morse words collide under every multiplier. So the units
 * are secret values, and the multiplier is 3 mod 8. Thue-Morse words of 8 units then lose 8 of 64 bits, those of 64
 * units 26.
 */
final class KeyedHash {
    private static final int TABLE_SIZE = 0x800;

    private final long unitKey;
    private final long multiplier;
    private final long finalKey;
    /** The values of the scripts that words are most often written in, from Latin to Arabic. */
    private final long[] table = new long[TABLE_SIZE];

    KeyedHash(long seed) {
        this.unitKey = mix(seed);
        this.multiplier = (mix(unitKey ^ seed) & ~7L) | 3;
        this.finalKey = mix(multiplier + unitKey);
        for (int c = 0; c < TABLE_SIZE; c++) {
            table[c] = mix(unitKey + c);
        }
    }

    /** The secret value of a code point. */
    long codePoint(int codePoint) {
        return codePoint < TABLE_SIZE ? table[codePoint] : mix(unitKey + codePoint);
    }

    /** Writes the values of a run of ASCII; returns where it ends. */
    int asciiUnits(byte[] utf8, int from, int end, long[] to, int at) {
        long[] values = table;
        int shift = at - from;
        for (int i = from; i < end; i++) {
            int c = utf8[i];
            if (c < 0) {
                return i;
            }
            to[shift + i] = values[c];
        }
        return end;
    }

    long multiplier() {
        return multiplier;
    }

    /** What {@link #finish} adds to a polynomial over so many units before it mixes the bits. */
    long finalKey(int units) {
        return finalKey * units;
    }

    /** One step of the polynomial: the hash of a run of units and one more. */
    long append(long hash, long unit) {
        return hash * multiplier + unit;
    }

    /** Well-mixed bits of a polynomial over a number of units. */
    long finish(long hash, int units) {
        return mix(hash + finalKey(units));
    }

    /** The hash of a text as one run, a unit a code point. */
    long whole(String text) {
        long run = 0;
        int units = 0;
        for (int i = 0; i < text.length(); units++) {
            int codePoint = text.codePointAt(i);
            run = append(run, codePoint(codePoint));
            i += Character.charCount(codePoint);
        }
        return finish(run, units);
    }

    /** The polynomial of units, to be finished. */
    long polynomial(long[] units, int from, int count) {
        long hash = 0;
        for (int i = from; i < from + count; i++) {
            hash = append(hash, units[i]);
        }
        return hash;
    }

    /** The finaliser of {@link SplitMix64}, on a step of its own. */
    static long mix(long value) {
        return SplitMix64.mix(value + SplitMix64.STEP);
    }
}
