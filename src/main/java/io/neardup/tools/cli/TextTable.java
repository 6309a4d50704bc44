package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.record.Printable;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What a report prints: rows whose cells stand under each other, and sentences. A column with a figure in it stands to
 * the right; sentences, and text in the last cell of a row, go on in the next line where {@value #COLUMNS} columns are
 * full. Whatever comes from outside is made harmless for a terminal here, so callers need not.
 */
final class TextTable {
    static final int COLUMNS = 79;
    private static final int TEXT_COLUMNS_MIN = 30;
    private static final MathContext SHOWN = new MathContext(6, RoundingMode.DOWN);
    /** Where a line may end: after spaces, and after each letter of scripts that have none. */
    private static final Pattern WORD_ENDS =
            Pattern.compile("(?<= )(?=[^ ])|(?<=[\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}\\p{IsThai}])");

    private static final int GAP = 2;

    private final List<String> lines = new ArrayList<>();
    /** What came since the last blank line. */
    private final List<Entry> block = new ArrayList<>();
    /** Which columns of it stand to the right. */
    private final List<Boolean> figures = new ArrayList<>();

    private record Entry(List<String> cells, boolean isRow) {}

    record Figure(String shown) {}

    /** A figure in a format of its own, the same in every country. */
    static Figure figure(String format, Object value) {
        return new Figure(format(format, value));
    }

    static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** With so many decimals, the others cut off: nearly all is not all. */
    static String cut(double value, int decimals) {
        if (!Double.isFinite(value)) {
            return "-";
        }
        return BigDecimal.valueOf(value).setScale(decimals, RoundingMode.DOWN).toPlainString();
    }

    /**
     * Cells that stand under those of the rows before and after, up to the next blank line.
     *
     * @param cells whole numbers, {@linkplain #figure figures} and text
     */
    TextTable row(Object... cells) {
        List<String> shown = new ArrayList<>();
        for (int column = 0; column < cells.length; column++) {
            Object cell = cells[column];
            boolean isFigure = cell instanceof Figure || cell instanceof Long || cell instanceof Integer;
            if (figures.size() == column) {
                figures.add(false);
            }
            figures.set(column, figures.get(column) || isFigure);
            shown.add(Printable.of(
                    cell instanceof Figure figure
                            ? figure.shown
                            : isFigure ? format("%,d", cell) : String.valueOf(cell)));
        }
        block.add(new Entry(shown, true));
        return this;
    }

    /**
     * All fields of a report, each with its name; that of one in an object follows on the name of the object. Of
     * numbers six digits that count are shown, cut off.
     *
     * @param report a record, a map or a tree, that {@link Json} writes
     */
    TextTable fields(Object report) {
        addFields("", Json.of(report));
        return this;
    }

    private void addFields(String name, JsonNode value) {
        if (value.isObject()) {
            String above = name.isEmpty() ? "" : name + ".";
            value.properties().forEach(field -> addFields(above + field.getKey(), field.getValue()));
        } else if (value.isArray() && !value.path(0).isNumber()) {
            value.forEach(element -> row(name, shown(element)));
        } else if (value.isDouble()) {
            row(
                    name,
                    BigDecimal.valueOf(value.asDouble())
                            .round(SHOWN)
                            .stripTrailingZeros()
                            .toPlainString());
        } else {
            row(name, shown(value));
        }
    }

    /** The fields of an object, or the elements of an array, in one line. */
    private static String shown(JsonNode value) {
        List<String> parts = new ArrayList<>();
        value.properties().forEach(field -> parts.add(field.getKey() + " " + shown(field.getValue())));
        if (value.isArray()) {
            value.forEach(element -> parts.add(shown(element)));
        }
        if (value.isNull()) {
            return "-";
        }
        return value.isValueNode() ? value.asText() : String.join(value.isObject() ? ", " : " ", parts);
    }

    /** A sentence or more; where it begins with blanks, its next lines do. */
    TextTable text(String sentence) {
        String printable = Printable.of(sentence);
        int indent = printable.length() - printable.stripLeading().length();
        List<String> wrapped = wrapped(printable.stripLeading(), COLUMNS - indent, false);
        block.add(new Entry(
                wrapped.stream().map(line -> " ".repeat(indent) + line).toList(), false));
        return this;
    }

    /** Lines that stay as they are, such as a drawing. */
    TextTable asIs(List<String> drawn) {
        block.add(new Entry(drawn.stream().map(Printable::of).toList(), false));
        return this;
    }

    /** A blank line; the rows after it need not stand under those before. */
    TextTable blank() {
        endBlock();
        lines.add("");
        return this;
    }

    List<String> lines() {
        endBlock();
        return List.copyOf(lines);
    }

    void print(PrintWriter output) {
        lines().forEach(output::println);
    }

    private void endBlock() {
        int[] widths = new int[figures.size()];
        for (Entry entry : block) {
            // What stands last may be as long as it likes, unless it is a figure.
            int ends = entry.cells.size() - 1;
            for (int column = 0; entry.isRow && column <= ends; column++) {
                if (column < ends || figures.get(column)) {
                    widths[column] = Math.max(widths[column], SideBySide.width(entry.cells.get(column)));
                }
            }
        }
        for (Entry entry : block) {
            lines.addAll(entry.isRow ? aligned(entry.cells, widths) : entry.cells);
        }
        block.clear();
        figures.clear();
    }

    private List<String> aligned(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        int last = cells.size() - 1;
        for (int column = 0; column < last; column++) {
            line.append(padded(cells.get(column), widths[column], figures.get(column)))
                    .append(" ".repeat(GAP));
        }
        if (figures.get(last)) {
            return List.of(
                    line.append(padded(cells.get(last), widths[last], true)).toString());
        }
        int indent = SideBySide.width(line.toString());
        List<String> whole = new ArrayList<>();
        for (String part : wrapped(cells.get(last), Math.max(TEXT_COLUMNS_MIN, COLUMNS - indent), false)) {
            whole.add(((whole.isEmpty() ? line : " ".repeat(indent)) + part).stripTrailing());
        }
        return whole;
    }

    private static String padded(String cell, int width, boolean toTheRight) {
        String blanks = " ".repeat(Math.max(0, width - SideBySide.width(cell)));
        return toTheRight ? blanks + cell : cell + blanks;
    }

    /** Lines of at most so many columns, one at the least; words that are longer are cut, or stay whole. */
    static List<String> wrapped(String text, int columns, boolean isCut) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        int width = 0;
        for (String word : WORD_ENDS.split(text, -1)) {
            boolean isFull = width > 0 && width + SideBySide.width(word.stripTrailing()) > columns;
            for (int letter : word.codePoints().toArray()) {
                if (isFull || (isCut && letter != ' ' && width + SideBySide.width(letter) > columns)) {
                    lines.add(line.toString().stripTrailing());
                    line.setLength(0);
                    width = 0;
                    isFull = false;
                }
                line.appendCodePoint(letter);
                width += SideBySide.width(letter);
            }
        }
        lines.add(line.toString().stripTrailing());
        return lines;
    }
}
