package io.neardup.engine.similarity;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The profile of a text: its frequent words and about how often each occurs, as Apache Nutch's
 * {@code TextProfileSignature} makes it. Nutch takes texts of equal profile for duplicates, by the MD5 of the profile's
 * UTF-8.
 *
 * <p>A token is a run of chars that {@link Character#isLetterOrDigit(char)} accepts, each in lower case by
 * {@link Character#toLowerCase(char)}. Letters beyond the basic plane separate tokens. Short tokens are dropped. Counts
 * are rounded down to multiples of a quantum, {@code round(highest count * quantRate)}; it is at least 2, or 1 where no
 * token repeats. Tokens below the quantum are dropped: as soon as one word repeats, words that occur once do not count.
 *
 * <ul>
 *   <li>Short texts share profiles easily: "The cat sat on the mat." and "the quick brown fox jumps over the lazy dog"
 *       both have {@code the 2}.
 *   <li>Time is linear in the length apart from the sort of the tokens, even where tokens are chosen to collide.
 *   <li>What is a letter is for the Unicode version of the JDK to say, as in Nutch.
 * </ul>
 *
 * @param minTokenLength chars, at least 0; only longer tokens are kept, as under Nutch's setting of this name
 * @param quantRate the quantum over the highest count, 0 to 1
 */
public record TextProfile(int minTokenLength, float quantRate, Order order) {
    /** Version of the algorithm; an index built with another cannot be compared with. */
    public static final int VERSION = 1;

    /** What Nutch and Solr take where nothing is set. */
    public static final int MIN_TOKEN_LENGTH_USUAL = 2;

    /** What Nutch and Solr take where nothing is set. */
    public static final float QUANT_RATE_USUAL = 0.01f;

    public TextProfile {
        if (minTokenLength < 0) {
            throw new IllegalArgumentException("Token length of " + minTokenLength + ": expected at least 0");
        }
        if (!(quantRate >= 0 && quantRate <= 1)) {
            throw new IllegalArgumentException("Quantum rate of " + quantRate + ": expected 0 to 1");
        }
    }

    /** How tokens of equal count are ordered. */
    public enum Order {
        /** By their chars: Nutch 1 since September 2019 (NUTCH-2381). */
        NUTCH,
        /**
         * By their place in a {@link HashMap} of all the text's tokens: Solr, Nutch 2, and Nutch 1 before. The order of
         * frequent tokens then depends on how many rare ones there are. So texts with the same frequent words and
         * counts can have unlike profiles.
         */
        SOLR
    }

    /**
     * Tokens and rounded counts, such as {@code fox 2}, highest count first, with a line feed between; empty without
     * tokens.
     */
    public String of(String text) {
        List<Token> kept = rounded(tokens(text).values());
        Comparator<Token> byCount =
                Comparator.comparingInt((Token token) -> token.count).reversed();
        kept.sort(order == Order.NUTCH ? byCount.thenComparing(token -> token.chars) : byCount);
        return kept.stream().map(token -> token.chars + " " + token.count).collect(Collectors.joining("\n"));
    }

    private Map<String, Token> tokens(String text) {
        Map<String, Token> tokens = new HashMap<>();
        char[] chars = new char[text.length()];
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isLetterOrDigit(c)) {
                chars[length++] = Character.toLowerCase(c);
            } else {
                count(chars, length, tokens);
                length = 0;
            }
        }
        count(chars, length, tokens);
        return tokens;
    }

    private void count(char[] chars, int length, Map<String, Token> tokens) {
        if (length <= minTokenLength) {
            return;
        }
        String found = new String(chars, 0, length);
        Token token = tokens.get(found);
        if (token == null) {
            token = new Token(found);
            // Not by merge or computeIfAbsent: they put colliding tokens into another order than put, which Solr uses.
            tokens.put(found, token);
        }
        token.count++;
    }

    private List<Token> rounded(Collection<Token> tokens) {
        int highest = tokens.stream().mapToInt(token -> token.count).max().orElse(0);
        int quantum = quantum(highest);
        List<Token> kept = new ArrayList<>();
        for (Token token : tokens) {
            token.count = token.count / quantum * quantum;
            if (token.count > 0) {
                kept.add(token);
            }
        }
        return kept;
    }

    private int quantum(int highest) {
        return Math.max(Math.round(highest * quantRate), highest > 1 ? 2 : 1);
    }

    private static final class Token {
        final String chars;
        int count;

        Token(String chars) {
            this.chars = chars;
        }
    }
}
