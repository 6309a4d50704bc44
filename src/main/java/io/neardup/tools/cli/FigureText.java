package io.neardup.tools.cli;

import java.util.Locale;

/** Figures in texts, the same in every country. */
final class FigureText {
    private FigureText() {}

    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** A line of a summary: what is counted, the count, and what there is to say of it. */
    static String count(String name, long count, String remark) {
        return text("%-20s%,12d%s", name, count, remark.isEmpty() ? "" : "   " + remark);
    }
}
