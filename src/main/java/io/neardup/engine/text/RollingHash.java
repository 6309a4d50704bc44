package io.neardup.engine.text;

/** The hashes of all windows of units, of one width or of several, rolled from window to window. */
final class RollingHash {
    private final int min;
    private final int max;
    private final KeyedHash hash;
    /** The multiplier to the power of each width, from the least on. */
    private final long[] powers;

    /** RollingHash of min to max units, 1 <= min <= max. */
    RollingHash(int min, int max, KeyedHash hash) {
        this.min = min;
        this.max = max;
        this.hash = hash;
        this.powers = new long[max - min + 1];
        long power = 1;
        for (int width = 1; width <= max; width++) {
            power *= hash.multiplier();
            powers[Math.max(0, width - min)] = power;
        }
    }

    /**
     * Replaces a buffer's content by the hash of every window of the first n units, width after width from the least
     * on. Units too few for the least width are one window.
     *
     * @throws Shingles.TooManyException if these are more than the buffer takes, before any is made
     */
    void hash(long[] units, int n, Shingles into) {
        into.clear();
        long widths = Math.max(0, Math.min(max, n) - min + 1);
        into.requireAtMost(widths * (n - min + 1) - widths * (widths - 1) / 2);
        if (n > 0 && n < min) {
            into.add(hash.finish(hash.polynomial(units, 0, n), n));
        }
        for (int width = min; width <= Math.min(max, n); width++) {
            append(width, units, n - width + 1, into);
        }
    }

    private void append(int width, long[] units, int count, Shingles into) {
        int start = into.size();
        long[] hashes = into.extend(count);
        roll(width, units, count, hashes, start);
        finish(hashes, start, start + count, hash.finalKey(width));
    }

    /** In a loop and a method of its own: the compiler vectorises it alone, but not together with the rolling. */
    private static void finish(long[] hashes, int from, int to, long key) {
        for (int i = from; i < to; i++) {
            hashes[i] = KeyedHash.mix(hashes[i] + key);
        }
    }

    /** Rolls over both halves at once: a step waits only for the one before it in its own half. */
    private void roll(int width, long[] units, int count, long[] hashes, int start) {
        // Local copies: the compiler cannot know that the stores leave the fields alone.
        long times = hash.multiplier();
        long out = powers[width - min];
        int half = count / 2;
        int middle = start + half;
        long left = hash.polynomial(units, 0, width);
        long right = hash.polynomial(units, half, width);
        hashes[start] = left;
        hashes[middle] = right;
        for (int i = 1; i < half; i++) {
            left = left * times + (units[i - 1 + width] - units[i - 1] * out);
            right = right * times + (units[half + i - 1 + width] - units[half + i - 1] * out);
            hashes[start + i] = left;
            hashes[middle + i] = right;
        }
        hashes[start + count - 1] = hash.polynomial(units, count - 1, width);
    }
}
