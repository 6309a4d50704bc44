package io.neardup.text;

/** Shingles of k consecutive code points. An unpaired surrogate is a unit of its own. */
public final class CharShingler implements Shingler {
    /** Version of the hashes; an index built with another cannot be compared with. */
    public static final int VERSION = 1;

    private final int k;
    private final KeyedHash hash;
    private char[] chars = new char[0];
    private long[] units = new long[0];

    CharShingler(int k, long seed) {
        this.k = k;
        this.hash = new KeyedHash(k, seed);
    }

    @Override
    public void shingle(String canonical, Shingles into) {
        into.clear();
        int n = toUnits(canonical);
        hash.windows(units, n, into);
    }

    @Override
    public String name() {
        return "char:" + k;
    }

    private int toUnits(String text) {
        int length = text.length();
        if (chars.length < length) {
            chars = new char[length];
            units = new long[length];
        }
        text.getChars(0, length, chars, 0);
        int n = 0;
        for (int i = 0; i < length; n++) {
            int codePoint = chars[i++];
            if (Character.isHighSurrogate((char) codePoint) && i < length && Character.isLowSurrogate(chars[i])) {
                codePoint = Character.toCodePoint((char) codePoint, chars[i++]);
            }
            units[n] = hash.codePoint(codePoint);
        }
        return n;
    }
}
