package io.neardup.record;

import java.util.Locale;
import java.util.function.IntPredicate;

/**
 * Makes text from outside safe to show. Some characters are commands to a terminal, some end a line in a log, and some
 * reverse the order in which a line is read.
 */
public final class Printable {
    private Printable() {}

    /**
     * The text with every control or format character, line separator and lone surrogate written as its number, such as
     * {@code <U+001B>}.
     */
    public static String of(String text) {
        return escape(text, codePoint -> false);
    }

    /** As {@link #of}, but ends of lines stay: for messages of several lines. */
    public static String lines(String text) {
        return escape(text, codePoint -> codePoint == '\n' || codePoint == '\r');
    }

    private static String escape(String text, IntPredicate kept) {
        if (text.codePoints().noneMatch(Printable::isHidden)) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(codePoint -> {
            if (isHidden(codePoint) && !kept.test(codePoint)) {
                escaped.append(String.format(Locale.ROOT, "<U+%04X>", codePoint));
            } else {
                escaped.appendCodePoint(codePoint);
            }
        });
        return escaped.toString();
    }

    private static boolean isHidden(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }
}
