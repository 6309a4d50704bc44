package io.neardup.engine.text;

import java.nio.charset.StandardCharsets;

/**
 * Cuts a normalized text into shingles, runs of consecutive units, and hashes each to 64 well-mixed bits under a secret
 * seed.
 *
 * <ul>
 *   <li>A text without any such run is one shingle, the whole of it; an empty text has none.
 *   <li>Equal shingles hash alike. Unlike ones collide with a probability near 2^-64. The seed shapes every step of the
 *       hash, so nobody can choose texts that collide without knowing it.
 *   <li>Implementations keep scratch buffers: one instance for one thread.
 * </ul>
 */
public interface Shingler {
    /** The longest shingle, in units. */
    int UNITS_MAX = 64;

    /**
     * Replaces the content of a buffer by the shingles of a text, in order, repeats included.
     *
     * @param normalized a text in the form of {@link NormalizedText#of}, as well-formed UTF-8 in its first bytes, as
     *     many as the length says; the rest is left alone
     */
    void shingle(byte[] normalized, int length, Shingles into);

    /** The same of a String; a question mark takes the place of an unpaired surrogate, which UTF-8 does not carry. */
    default void shingle(String normalized, Shingles into) {
        byte[] utf8 = normalized.getBytes(StandardCharsets.UTF_8);
        shingle(utf8, utf8.length, into);
    }

    /**
     * The shingler that a setting names, with the stop words of all languages that come with the program.
     *
     * @param spec as {@link ShingleSpec} says
     * @param seed secret; the same spec and seed give the same hashes on every machine
     * @throws IllegalArgumentException when the spec names no shingler
     */
    static Shingler of(String spec, long seed) {
        return of(spec, StopWords.all(), seed);
    }

    /** The same with stop words, which are of no effect where shingles do not depend on them. */
    static Shingler of(String spec, StopWords stopWords, long seed) {
        ShingleSpec parsed = ShingleSpec.of(spec);
        return switch (parsed.kind()) {
            case CHAR -> new CharShingler(parsed.min(), seed);
            case WORD -> new TokenShingler(parsed, null, seed);
            case STOPWORD -> new TokenShingler(parsed, stopWords, seed);
        };
    }
}
