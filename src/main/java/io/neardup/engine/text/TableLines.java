package io.neardup.engine.text;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a table of text line by line, and says what is wrong with a line. */
public final class TableLines {
    private static final int SHOWN_CHARS = 40;
    private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,9}");

    private final String table;
    private final BufferedReader lines;
    private final int lengthMax;
    private int number;
    private @Nullable String line;

    /**
     * @param table what messages call it
     * @param lengthMax chars of a line at most: no more of a longer one is read
     */
    public TableLines(String table, Reader lines, int lengthMax) {
        this.table = table;
        this.lines = new BufferedReader(lines);
        this.lengthMax = lengthMax;
    }

    /**
     * Reads the next line, up to a line feed, with or without a carriage return before it.
     *
     * @return null at the end
     * @throws IllegalArgumentException when it is too long
     */
    public @Nullable String next() throws IOException {
        number++;
        StringBuilder read = new StringBuilder();
        int c = lines.read();
        if (c < 0) {
            line = null;
            return null;
        }
        for (; c >= 0 && c != '\n'; c = lines.read()) {
            if (read.length() == lengthMax) {
                line = read.toString();
                throw wrong("a line of at most " + lengthMax + " chars");
            }
            read.append((char) c);
        }
        int end = read.length() - 1;
        line = c == '\n' && end >= 0 && read.charAt(end) == '\r' ? read.substring(0, end) : read.toString();
        return line;
    }

    /** The line that was read last; null at the end. */
    public @Nullable String line() {
        return line;
    }

    /** The number that digits name, from 1 to {@code max}, or 0 if they name none. */
    public static int count(String digits, int max) {
        if (!COUNT.matcher(digits).matches()) {
            return 0;
        }
        long count = Long.parseLong(digits);
        return count <= max ? (int) count : 0;
    }

    /** That the line read last is another than expected: it shows no more than the line's start. */
    public IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException(table + ", line " + number + ": expected " + expected + ", found "
                + (line == null ? "the end" : "'" + shown(line) + "'"));
    }

    /** The start of a text, without what a terminal takes for a command. */
    public static String shown(String text) {
        String visible = text.replace("\t", "<TAB>").replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}]", "?");
        return visible.length() <= SHOWN_CHARS ? visible : visible.substring(0, SHOWN_CHARS) + "...";
    }
}
