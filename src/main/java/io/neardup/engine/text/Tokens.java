package io.neardup.engine.text;

/**
 * The tokens of a text as 64-bit hashes, in order, in buffers that are used again for text after text. A token is a run
 * of letters, digits and marks. Each ideograph, and each character of hiragana, katakana and Thai, is a token of its
 * own, as these scripts put no space between words. A text without any is one token, the whole of it. An empty text has
 * none.
 */
final class Tokens {
    private final KeyedHash hash;
    private final boolean folding;
    private long[] hashes = new long[0];
    private long[] foldedHashes = new long[0];
    private int size;

    private Tokens(KeyedHash hash, boolean folding) {
        this.hash = hash;
        this.folding = folding;
    }

    /** The hashing of tokens and of their shingles, under other keys than those of characters. */
    static KeyedHash hashing(long seed) {
        return new KeyedHash(KeyedHash.mix(seed ^ 0x776F7264L));
    }

    /** Tokens without folded hashes. */
    static Tokens asWritten(KeyedHash hash) {
        return new Tokens(hash, false);
    }

    /** Tokens with folded hashes too. */
    static Tokens alsoFolded(KeyedHash hash) {
        return new Tokens(hash, true);
    }

    int size() {
        return size;
    }

    /** The backing array, not a copy: valid up to {@link #size()}, until the next text. */
    long[] hashes() {
        return hashes;
    }

    /**
     * The hashes of the tokens without the case of their letters ({@link CaseFold}); an array as {@link #hashes()} is.
     */
    long[] foldedHashes() {
        return foldedHashes;
    }

    /** Takes the tokens of a text, and hashes all of them as one run. */
    long run(String text) {
        take(text);
        return hash.finish(hash.polynomial(hashes, 0, size), size);
    }

    /** Takes the tokens of a text. */
    void take(String text) {
        makeRoom(text.length());
        size = 0;
        long run = 0;
        long folded = 0;
        int units = 0;
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            i += Character.charCount(codePoint);
            byte type = TokenChars.typeOf(codePoint);
            if (type == TokenChars.PART) {
                run = hash.append(run, hash.codePoint(codePoint));
                // Nearly free: it runs while the other append waits for its own last step.
                folded = folding ? hash.append(folded, hash.codePoint(CaseFold.of(codePoint))) : 0;
                units++;
                continue;
            }
            if (units > 0) {
                add(run, folded, units);
                run = 0;
                folded = 0;
                units = 0;
            }
            if (type == TokenChars.ALONE) {
                add(hash.codePoint(codePoint), hash.codePoint(codePoint), 1);
            }
        }
        if (units > 0) {
            add(run, folded, units);
        }
        if (size == 0 && !text.isEmpty()) {
            addWhole(text);
        }
    }

    private void makeRoom(int units) {
        if (hashes.length < units) {
            hashes = new long[units];
            foldedHashes = new long[folding ? units : 0];
        }
    }

    private void add(long run, long folded, int units) {
        if (folding) {
            foldedHashes[size] = hash.finish(folded, units);
        }
        hashes[size++] = hash.finish(run, units);
    }

    private void addWhole(String text) {
        hashes[size] = hash.whole(text);
        if (folding) {
            foldedHashes[size] = hashes[size];
        }
        size++;
    }

    /**
     * Code points without the case of letters: two have the same form if {@link String#equalsIgnoreCase} takes them for
     * equal.
     */
    static final class CaseFold {
        /** The basic plane by table: without it a letter costs two look-ups in the JDK's tables. */
        private static final char[] BASIC_PLANE = new char[0x10000];

        static {
            for (int c = 0; c < BASIC_PLANE.length; c++) {
                BASIC_PLANE[c] = (char) find(c);
            }
        }

        private CaseFold() {}

        static int of(int codePoint) {
            return codePoint < BASIC_PLANE.length ? BASIC_PLANE[codePoint] : find(codePoint);
        }

        private static int find(int codePoint) {
            return Character.toLowerCase(Character.toUpperCase(codePoint));
        }
    }
}
