package io.neardup.text;

/**
 * The tokens of a text as 64-bit hashes, in order: buffers that are used again for text after text. A token is a run of letters,
 * digits and marks; each ideograph and each character of the scripts hiragana, katakana and Thai, which put no space between
 * words, is a token of its own. A text without any is one token, the whole of it; an empty text has none.
 */
final class Tokens {
    private final KeyedHash hash;
    private int[] codePoints = new int[0];
    private int length;
    private long[] hashes = new long[0];
    private int size;
    private long[] folded = new long[0];

    Tokens(KeyedHash hash) {
        this.hash = hash;
    }

    /** The hashing of shingles of tokens: under another stream of keys than that of characters. */
    static KeyedHash hashing(long seed) {
        return new KeyedHash(KeyedHash.mix(seed ^ 0x776F7264L));
    }

    int size() {
        return size;
    }

    /** The backing array, not a copy: valid up to {@link #size()}, until the next text. */
    long[] hashes() {
        return hashes;
    }

    /** The hashes that the tokens have whatever the case of their letters ({@link CaseFold}), in such an array. */
    long[] foldedHashes() {
        int changed = 0;
        for (int i = 0; i < length; i++) {
            changed |= codePoints[i] ^ CaseFold.of(codePoints[i]);
        }
        if (changed == 0) {
            return hashes;
        }
        for (int i = 0; i < length; i++) {
            codePoints[i] = CaseFold.of(codePoints[i]);
        }
        if (folded.length < length) {
            folded = new long[length];
        }
        cut(folded);
        return folded;
    }

    /** Takes the tokens of a text. */
    void take(String text) {
        makeRoom(text.length());
        int n = 0;
        for (int i = 0; i < text.length(); n++) {
            int codePoint = text.codePointAt(i);
            i += Character.charCount(codePoint);
            codePoints[n] = codePoint;
        }
        length = n;
        size = cut(hashes);
    }

    /** Takes the tokens of a text in UTF-8, well-formed in its first bytes. */
    void take(byte[] utf8, int bytes) {
        makeRoom(bytes);
        int n = 0;
        for (int at = 0; at < bytes; n++) {
            int lead = utf8[at];
            codePoints[n] = lead >= 0 ? lead : Utf8.codePoint(utf8, at);
            at += lead >= 0 ? 1 : Utf8.length(lead);
        }
        length = n;
        size = cut(hashes);
    }

    private void makeRoom(int units) {
        if (codePoints.length < units) {
            codePoints = new int[units];
            hashes = new long[units];
        }
    }

    /** Returns how many tokens there are. */
    private int cut(long[] into) {
        int count = 0;
        long run = 0;
        int units = 0;
        for (int i = 0; i < length; i++) {
            int codePoint = codePoints[i];
            byte type = TokenChars.typeOf(codePoint);
            if (type == TokenChars.PART) {
                run = hash.append(run, hash.codePoint(codePoint));
                units++;
                continue;
            }
            if (units > 0) {
                into[count++] = hash.finish(run, units);
                run = 0;
                units = 0;
            }
            if (type == TokenChars.ALONE) {
                into[count++] = hash.finish(hash.codePoint(codePoint), 1);
            }
        }
        if (units > 0) {
            into[count++] = hash.finish(run, units);
        }
        if (count == 0 && length > 0) {
            into[count++] = whole();
        }
        return count;
    }

    private long whole() {
        long run = 0;
        for (int i = 0; i < length; i++) {
            run = hash.append(run, hash.codePoint(codePoints[i]));
        }
        return hash.finish(run, length);
    }
}
