package io.neardup.text;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts a canonical text into shingles, runs of k consecutive units, and hashes each to 64 well-mixed bits under a secret
 * seed.
 *
 * <ul>
 *   <li>A text shorter than k units is one shingle, the whole of it; an empty text has none.
 *   <li>Equal shingles hash alike. Unlike ones collide with a probability near 2^-64; who does not know the seed cannot
 *       choose texts that collide, as it shapes every step of the hash.
 *   <li>Implementations keep scratch buffers: one instance for one thread.
 * </ul>
 */
public interface Shingler {
    /** The longest shingle, in units. */
    int UNITS_MAX = 64;

    /**
     * Replaces the content of a buffer by the shingles of a text, in order, repeats included.
     *
     * @param canonical a text in the form of {@link CanonicalText#of}
     */
    void shingle(String canonical, Shingles into);

    /**
     * Replaces the content of a buffer by the shingles of a text in UTF-8, the same as those of the String.
     *
     * @param canonical well-formed UTF-8 in its first bytes, as many as the length says; the rest is left alone
     */
    default void shingle(byte[] canonical, int length, Shingles into) {
        shingle(new String(canonical, 0, length, StandardCharsets.UTF_8), into);
    }

    /** The kind and the number of units, such as {@code char:9}; {@link #of} reads it. */
    String name();

    /**
     * The shingler that a setting names.
     *
     * @param spec {@code char:k} (k code points) or {@code word:k} (k tokens), k from 1 to 64
     * @param seed secret; the same spec and seed give the same hashes on every machine
     * @throws IllegalArgumentException when the spec names no shingler
     */
    static Shingler of(String spec, long seed) {
        Matcher matcher = Pattern.compile("(char|word):([1-9][0-9]?)").matcher(spec);
        int k = matcher.matches() ? Integer.parseInt(matcher.group(2)) : 0;
        if (k < 1 || k > UNITS_MAX) {
            throw new IllegalArgumentException("Shingle '" + spec + "': expected char:k or word:k with k from 1 to "
                    + UNITS_MAX + ", such as char:9");
        }
        return matcher.group(1).equals("char") ? new CharShingler(k, seed) : new WordShingler(k, seed);
    }
}
