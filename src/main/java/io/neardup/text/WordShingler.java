package io.neardup.text;

/**
 * Shingles of k consecutive tokens. A token is a run of letters, digits and marks; each ideograph and each character of
 * the scripts hiragana, katakana and Thai, which put no space between words, is a token of its own. What lies between tokens
 * does not count. A text without any token is one shingle, the whole of it.
 */
public final class WordShingler implements Shingler {
    /** Version of the hashes; an index built with another cannot be compared with. */
    public static final int VERSION = 1;

    private final int k;
    private final KeyedHash hash;
    private long[] tokens = new long[0];
    private int size;

    WordShingler(int k, long seed) {
        this.k = k;
        // Another stream of keys than that of char shingles.
        this.hash = new KeyedHash(k, KeyedHash.mix(seed ^ 0x776F7264L));
    }

    @Override
    public void shingle(String canonical, Shingles into) {
        tokenise(canonical);
        if (size == 0 && !canonical.isEmpty()) {
            tokens[size++] = whole(canonical);
        }
        hash.windows(tokens, size, into);
    }

    @Override
    public String name() {
        return "word:" + k;
    }

    private void tokenise(String text) {
        if (tokens.length < text.length()) {
            tokens = new long[text.length()];
        }
        size = 0;
        long run = 0;
        int units = 0;
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            i += Character.charCount(codePoint);
            byte type = TokenChars.typeOf(codePoint);
            if (type != TokenChars.PART && units > 0) {
                tokens[size++] = hash.finish(run, units);
                run = 0;
                units = 0;
            }
            if (type == TokenChars.PART) {
                run = hash.append(run, hash.codePoint(codePoint));
                units++;
            } else if (type == TokenChars.ALONE) {
                tokens[size++] = hash.finish(hash.codePoint(codePoint), 1);
            }
        }
        if (units > 0) {
            tokens[size++] = hash.finish(run, units);
        }
    }

    private long whole(String text) {
        long run = 0;
        int units = 0;
        for (int i = 0; i < text.length(); units++) {
            int codePoint = text.codePointAt(i);
            i += Character.charCount(codePoint);
            run = hash.append(run, hash.codePoint(codePoint));
        }
        return hash.finish(run, units);
    }
}
