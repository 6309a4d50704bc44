package io.neardup.engine.text;

/** Shingles of k consecutive code points. */
final class CharShingler implements Shingler {
    /** Version of the hashes; an index built with another cannot be compared with. */
    static final int VERSION = 1;

    private final KeyedHash hash;
    private final RollingHash windows;
    private long[] units = new long[0];

    CharShingler(int k, long seed) {
        this.hash = new KeyedHash(seed);
        this.windows = new RollingHash(k, k, hash);
    }

    @Override
    public void shingle(byte[] normalized, int length, Shingles into) {
        int n = toUnits(normalized, length);
        windows.hash(units, n, into);
    }

    private int toUnits(byte[] utf8, int length) {
        if (units.length < length) {
            units = new long[length];
        }
        long[] to = units;
        int n = 0;
        int at = 0;
        while (at < length) {
            int end = hash.asciiUnits(utf8, at, length, to, n);
            n += end - at;
            at = end;
            while (at < length && utf8[at] < 0) {
                to[n++] = hash.codePoint(TrustedUtf8.codePoint(utf8, at));
                at += TrustedUtf8.length(utf8[at]);
            }
        }
        return n;
    }
}
