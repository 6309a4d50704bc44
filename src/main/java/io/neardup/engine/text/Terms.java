package io.neardup.engine.text;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The terms of a text: the strings whose hashes are its {@code word:k} shingles. A term that is shingled as a text by
 * itself gives just its own shingle.
 */
public final class Terms {
    private Terms() {}

    /**
     * Runs of k consecutive tokens with a space between, in order, repeats included. A text of fewer tokens is one
     * term, all of them. A text without a token is one term, the text as it is. An empty text has none.
     *
     * @param normalized a text in the form of {@link NormalizedText#of}
     * @param k at least 1
     */
    public static List<String> of(String normalized, int k) {
        List<String> tokens = tokens(normalized);
        if (tokens.isEmpty()) {
            return normalized.isEmpty() ? List.of() : List.of(normalized);
        }
        return runs(tokens, Math.min(k, tokens.size()));
    }

    /** The terms of k tokens alone: a text of fewer has none. */
    public static List<String> ofLength(String normalized, int k) {
        return runs(tokens(normalized), k);
    }

    private static List<String> runs(List<String> tokens, int length) {
        return IntStream.rangeClosed(0, tokens.size() - length)
                .mapToObj(from -> String.join(" ", tokens.subList(from, from + length)))
                .toList();
    }

    private static List<String> tokens(String text) {
        List<String> tokens = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            int end = i + Character.charCount(codePoint);
            byte type = TokenChars.typeOf(codePoint);
            if (type != TokenChars.PART) {
                addRun(text, start, i, tokens);
                addRun(text, type == TokenChars.ALONE ? i : end, end, tokens);
                start = end;
            }
            i = end;
        }
        addRun(text, start, text.length(), tokens);
        return tokens;
    }

    private static void addRun(String text, int start, int end, List<String> tokens) {
        if (end > start) {
            tokens.add(text.substring(start, end));
        }
    }
}
