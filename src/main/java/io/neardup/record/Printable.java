package io.neardup.record;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Makes text from outside safe to show. Some characters are commands to a terminal, some end a line in a log, and some
 * reverse the order in which a line is read.
 */
public final class Printable {
    /** Control and format characters, line and paragraph separators, lone surrogates. */
    private static final Pattern HIDDEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

    private static final Pattern HIDDEN_IN_LINES = Pattern.compile(HIDDEN + "(?<![\\r\\n])");

    private Printable() {}

    /** The text with each of these written as its number, such as {@code <U+001B>}. */
    public static String of(String text) {
        return escape(HIDDEN, text);
    }

    /** As {@link #of}, but ends of lines stay: for messages of several lines. */
    public static String lines(String text) {
        return escape(HIDDEN_IN_LINES, text);
    }

    /** The beginning of a text, of at most so many chars, at least 1; no half of a surrogate pair ends it. */
    public static String cut(String text, int charsMax) {
        if (text.length() <= charsMax) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(charsMax - 1)) ? charsMax - 1 : charsMax);
    }

    private static String escape(Pattern hidden, String text) {
        return hidden.matcher(text)
                .replaceAll(found ->
                        String.format(Locale.ROOT, "<U+%04X>", found.group().codePointAt(0)));
    }
}
