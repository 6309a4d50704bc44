package io.neardup.tools.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Two texts in two columns, 79 characters wide. Control characters are taken out: a text may hold commands for a
 * terminal.
 */
final class SideBySide {
    private static final int WIDTH = 38;
    private static final String BETWEEN = " | ";
    private static final String CUT = "...";
    /** Of the passage before the first difference. */
    private static final int CONTEXT_CHARS = 60;

    /** First and last code points of the East Asian letters and the emoji. */
    private static final int[] WIDE = {
        0x1100, 0x115F, 0x2E80, 0xA4CF, 0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE30, 0xFE6F, 0xFF00, 0xFF60, 0xFFE0, 0xFFE6,
        0x1F300, 0x1FAFF, 0x20000, 0x3FFFD
    };

    private static final Pattern HIDDEN = Pattern.compile("[\\p{C}&&[^\\p{javaWhitespace}]]");
    private static final Pattern SPACES = Pattern.compile("[\\p{javaWhitespace}\\p{javaSpaceChar}]+");

    private SideBySide() {}

    /** Two documents: a line with their ids, a rule, and the passages around the first difference. */
    static List<String> pair(String leftId, String rightId, String left, String right, int linesMax) {
        List<String> lines = new ArrayList<>(columns(leftId, rightId, 1));
        lines.add(rule());
        lines.addAll(passages(left, right, linesMax));
        return lines;
    }

    static String rule() {
        return "-".repeat(WIDTH) + "-+-" + "-".repeat(WIDTH);
    }

    /** The passages around the first difference: the beginnings of near-duplicates are mostly the same. */
    static List<String> passages(String left, String right, int linesMax) {
        String a = printable(left);
        String b = printable(right);
        // Of equal texts, without a difference, the beginning is shown.
        int difference = Arrays.mismatch(a.toCharArray(), b.toCharArray());
        int from = wordStart(a, Math.max(0, difference - CONTEXT_CHARS));
        String before = from == 0 ? "" : CUT + " ";
        return columns(before + a.substring(from), before + b.substring(Math.min(from, b.length())), linesMax);
    }

    /** Both texts from their beginnings. */
    static List<String> columns(String left, String right, int linesMax) {
        List<String> a = wrapped(printable(left), linesMax);
        List<String> b = wrapped(printable(right), linesMax);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
            String first = i < a.size() ? a.get(i) : "";
            String second = i < b.size() ? b.get(i) : "";
            lines.add((first + " ".repeat(Math.max(0, WIDTH - width(first))) + BETWEEN + second).stripTrailing());
        }
        return lines;
    }

    /** Without control, format and unpaired characters, and with single spaces. */
    static String printable(String text) {
        return SPACES.matcher(HIDDEN.matcher(text).replaceAll(""))
                .replaceAll(" ")
                .strip();
    }

    private static int wordStart(String text, int from) {
        if (from == 0) {
            return 0;
        }
        int space = text.indexOf(' ', from);
        boolean near = space >= 0 && space < from + CONTEXT_CHARS / 2;
        int start = near ? space + 1 : from;
        return Character.isLowSurrogate(text.charAt(start)) ? start - 1 : start;
    }

    /** Lines at spaces where there are any; the last one says if there is more. */
    private static List<String> wrapped(String text, int linesMax) {
        // Of a long text the beginning is enough.
        String start = text.substring(0, Math.min(text.length(), (linesMax + 1) * 4 * WIDTH));
        List<String> lines = TextTable.wrapped(start, WIDTH, true);
        if (lines.size() <= linesMax) {
            return lines;
        }
        String last = TextTable.wrapped(lines.get(linesMax - 1), WIDTH - CUT.length() - 1, true)
                .get(0);
        return Stream.concat(lines.stream().limit(linesMax - 1L), Stream.of(last + " " + CUT))
                .toList();
    }

    static int width(String text) {
        return text.codePoints().map(SideBySide::width).sum();
    }

    /** Columns on a terminal, near enough: wide ones take two, marks none. */
    static int width(int codePoint) {
        int type = Character.getType(codePoint);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        boolean wide = false;
        for (int i = 0; i < WIDE.length; i += 2) {
            wide |= codePoint >= WIDE[i] && codePoint <= WIDE[i + 1];
        }
        return wide ? 2 : 1;
    }
}
