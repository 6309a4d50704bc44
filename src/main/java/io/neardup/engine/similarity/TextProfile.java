package io.neardup.engine.similarity;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The profile of a text: its frequent words and about how often each occurs, as Apache Nutch's
 * {@code TextProfileSignature} makes it. Nutch takes texts of equal profile for duplicates, by the MD5 of the profile's
 * UTF-8.
 *
 * <p>A token is a run of chars that {@link Character#isLetterOrDigit(char)} accepts, each in lower case by
 * {@link Character#toLowerCase(char)}. Letters beyond the basic plane separate tokens. Tokens of up to 2 chars are
 * dropped. Counts are rounded down to multiples of a quantum, a hundredth of the highest count, rounded; it is at least
 * 2, or 1 where no token repeats. Tokens below the quantum are dropped: as soon as one word repeats, words that occur
 * once do not count. Tokens of equal count are in the order of their chars, as in Nutch 1 since September 2019
 * (NUTCH-2381); in Solr they have the order of a hash table, which other words of the text change.
 *
 * <ul>
 *   <li>Short texts share profiles easily: "The cat sat on the mat." and "the quick brown fox jumps over the lazy dog"
 *       both have {@code the 2}.
 *   <li>Time is linear in the length apart from the sort of the tokens, even where tokens are chosen to collide.
 *   <li>What is a letter is for the Unicode version of the JDK to say, as in Nutch.
 * </ul>
 */
public final class TextProfile {
    /** Version of the algorithm; an index built with another cannot be compared with. */
    public static final int VERSION = 1;

    private static final int SHORT_TOKEN_MAX = 2;
    private static final float QUANTUM_OF_HIGHEST = 0.01f;

    private TextProfile() {}

    /**
     * Tokens and rounded counts, such as {@code fox 2}, highest count first, with a line feed between; empty without
     * tokens.
     */
    public static String of(String text) {
        Map<String, Integer> counts = counts(text);
        int highest = counts.values().stream().mapToInt(count -> count).max().orElse(0);
        int quantum = Math.max(Math.round(highest * QUANTUM_OF_HIGHEST), highest > 1 ? 2 : 1);
        counts.values().removeIf(count -> count < quantum);
        counts.replaceAll((token, count) -> count / quantum * quantum);
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(token -> token.getKey() + " " + token.getValue())
                .collect(Collectors.joining("\n"));
    }

    private static Map<String, Integer> counts(String text) {
        Map<String, Integer> counts = new HashMap<>();
        char[] chars = new char[text.length()];
        int length = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : ' ';
            if (Character.isLetterOrDigit(c)) {
                chars[length++] = Character.toLowerCase(c);
            } else {
                if (length > SHORT_TOKEN_MAX) {
                    counts.merge(new String(chars, 0, length), 1, Integer::sum);
                }
                length = 0;
            }
        }
        return counts;
    }
}
