package io.neardup.tools.cli;

import java.util.Locale;

/** Figures in texts, the same in every country. */
final class FigureText {
    private FigureText() {}

    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
