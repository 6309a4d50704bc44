package io.neardup.document;

import java.util.Locale;
import java.util.function.IntPredicate;

/**
 * Text from outside for the eyes of people. A terminal takes some characters for commands, a log some for the end of a
 * line, and some turn the order of what is read.
 */
public final class Printable {
    private Printable() {}

    /**
     * The text with every control and format character, every separator of lines, and every half of a surrogate pair
     * that is alone written as its number, such as {@code <U+001B>}.
     */
    public static String of(String text) {
        return escape(text, codePoint -> false);
    }

    /** As {@link #of}, but ends of lines stay: of messages that have several lines of their own. */
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
