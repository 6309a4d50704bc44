package io.neardup.engine.text;

import java.nio.charset.StandardCharsets;

/**
 * Hashes shingles that stand alone as the shinglers hash them within a text. The loops of the shinglers are for long
 * texts: a million texts of one shingle teach the JIT compiler that their loops end at once, and then long texts take
 * twice the time as long as the process lives. For one thread.
 */
final class ShingleHash {
    private final boolean areCharacters;
    private final KeyedHash hash;
    private final Tokens tokens;

    /** Of shingles of a kind, under a seed. */
    ShingleHash(ShingleSpec spec, long seed) {
        this.areCharacters = spec.kind() == ShingleSpec.Kind.CHAR;
        this.hash = areCharacters ? new KeyedHash(seed) : Tokens.hashing(seed);
        this.tokens = Tokens.asWritten(hash);
    }

    /**
     * The hash of a shingle.
     *
     * @param utf8 its normalized text in the first bytes, as many as the length says
     */
    long of(byte[] utf8, int length) {
        return areCharacters
                ? ofCharacters(utf8, length)
                : ofTokens(new String(utf8, 0, length, StandardCharsets.UTF_8));
    }

    private long ofCharacters(byte[] utf8, int length) {
        long run = 0;
        int units = 0;
        for (int at = 0; at < length; units++) {
            boolean isAscii = utf8[at] >= 0;
            run = hash.append(run, hash.codePoint(isAscii ? utf8[at] : TrustedUtf8.codePoint(utf8, at)));
            at += isAscii ? 1 : TrustedUtf8.length(utf8[at]);
        }
        return hash.finish(run, units);
    }

    /** What begins with a stop word hashes as words do. */
    private long ofTokens(String text) {
        tokens.take(text);
        return hash.finish(hash.polynomial(tokens.hashes(), 0, tokens.size()), tokens.size());
    }
}
