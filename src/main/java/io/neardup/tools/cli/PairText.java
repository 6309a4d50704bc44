package io.neardup.tools.cli;

import java.util.List;
import java.util.Locale;

/** Two texts, each cut down to a line that shows where they differ first. */
final class PairText {
    private static final int WIDTH = 100;
    /** Of what both begin with, so much is shown. */
    private static final int LEAD = 30;

    private PairText() {}

    /** A line with the similarity and a line for each text. */
    static List<String> lines(double similarity, String first, String second) {
        String one = oneLine(first);
        String other = oneLine(second);
        int from = Math.max(0, firstDifference(one, other) - LEAD);
        from = from < LEAD ? 0 : from;
        return List.of(
                String.format(Locale.ROOT, "  %.2f  %s", similarity, cut(one, from)), "        " + cut(other, from));
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("[\\s\\p{Cntrl}]+", " ");
    }

    private static int firstDifference(String one, String other) {
        int end = Math.min(one.length(), other.length());
        int at = 0;
        while (at < end && one.charAt(at) == other.charAt(at)) {
            at++;
        }
        return at == one.length() && at == other.length() ? 0 : at;
    }

    private static String cut(String text, int from) {
        String rest = from == 0 ? text : "..." + text.substring(Math.min(from, text.length()));
        return rest.length() <= WIDTH ? rest : rest.substring(0, WIDTH - 3) + "...";
    }
}
