package io.neardup.engine.text;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What texts are cut into, as a setting names it: {@code char:k}, {@code word:k}, {@code word:min..max} or
 * {@code stopword:k}.
 *
 * @param min units of the shortest shingle, from 1 (stop words: from 2)
 * @param max units of the longest, up to 64; other than min for words only, and at most 7 more
 */
public record ShingleSpec(Kind kind, int min, int max) {
    /** What a spec may be, for messages. */
    public static final String EXPECTED =
            "char:k or word:k with k from 1 to 64, word:min..max with at most 8 lengths, or"
                    + " stopword:k with k from 2 to 64";

    private static final int LENGTHS_MAX = 8;
    private static final Pattern SPEC = Pattern.compile("(char|word|stopword):([1-9][0-9]?)(?:\\.\\.([1-9][0-9]?))?");

    /** Kinds of shingles. */
    public enum Kind {
        /** Runs of code points. */
        CHAR,
        /** Runs of tokens. */
        WORD,
        /** Stop words and the tokens after them. */
        STOPWORD
    }

    public ShingleSpec {
        int least = kind == Kind.STOPWORD ? 2 : 1;
        int lengthsMax = kind == Kind.WORD ? LENGTHS_MAX : 1;
        if (min < least || max < min || max > Shingler.UNITS_MAX || max - min >= lengthsMax) {
            throw unexpected(written(kind, min, max));
        }
    }

    /**
     * Reads a spec; {@code word:2..2} is {@code word:2}.
     *
     * @throws IllegalArgumentException when it names no shingler
     */
    public static ShingleSpec of(String spec) {
        Matcher matcher = SPEC.matcher(spec);
        if (!matcher.matches()) {
            throw unexpected(spec);
        }
        int min = Integer.parseInt(matcher.group(2));
        int max = matcher.group(3) == null ? min : Integer.parseInt(matcher.group(3));
        return new ShingleSpec(Kind.valueOf(matcher.group(1).toUpperCase(Locale.ROOT)), min, max);
    }

    /** Whether {@link #of} reads it. */
    public static boolean isValid(String spec) {
        try {
            of(spec);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Version of the hashes; an index built with another cannot be compared with. */
    public int version() {
        return switch (kind) {
            case CHAR -> CharShingler.VERSION;
            case WORD, STOPWORD -> TokenShingler.VERSION;
        };
    }

    /** Whether the shingles depend on what the stop words are. */
    public boolean usesStopWords() {
        return kind == Kind.STOPWORD;
    }

    /**
     * Whether a text is one shingle by itself, and no shorter than one: so many characters, or so many tokens with a
     * space between. Whether it begins with a stop word is not looked at.
     */
    boolean isShingle(String normalized) {
        if (!normalized.chars().allMatch(c -> NormalizedText.spaced((char) c) == c)) {
            return false;
        }
        if (kind == Kind.CHAR) {
            return normalized.codePointCount(0, normalized.length()) == max;
        }
        int tokens = Terms.of(normalized, 1).size();
        return tokens >= min && Terms.of(normalized, max).equals(List.of(normalized));
    }

    /** The spec as {@link #of} reads it. Specs that mean the same are written the same. */
    @Override
    public String toString() {
        return written(kind, min, max);
    }

    private static String written(Kind kind, int min, int max) {
        return kind.name().toLowerCase(Locale.ROOT) + ":" + (min == max ? String.valueOf(min) : min + ".." + max);
    }

    private static IllegalArgumentException unexpected(String spec) {
        return new IllegalArgumentException("Shingle '" + spec + "': expected " + EXPECTED + ", such as char:9");
    }
}
