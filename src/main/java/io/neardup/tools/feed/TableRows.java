package io.neardup.tools.feed;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Splits a table at line ends outside of quotes; rows without anything are gone over. A broken row ends with its first
 * line. Not thread-safe.
 */
final class TableRows {
    /** The most bytes of a row; a longer one is broken. */
    static final int ROW_BYTES_MAX = 16 << 20;

    private static final int BUFFER_LENGTH = 1 << 16;

    private final InputStream in;
    private final char separator;
    private byte[] buffer = new byte[BUFFER_LENGTH];
    private int position;
    private int limit;
    private long bufferOffset;
    private int start;
    private int end;
    private boolean isBroken;
    private int separators;

    /** What was met last in a row that did not end in quotes; as far as that is behind the row that is looked at. */
    private Met met = new Met(-1, false, false, false, false);

    /** Of a row whose first bytes were given up; else -1. */
    private long brokenOffset = -1;

    /** How far a row was followed that was broken, and what was known there. */
    private record Met(long offset, boolean isQuoted, boolean isClosed, boolean isCellStart, boolean isMisquoted) {}

    TableRows(InputStream in, char separator) {
        this.in = in;
        this.separator = separator;
    }

    /** Of the first byte of the row. */
    long offset() {
        return brokenOffset < 0 ? bufferOffset + start : brokenOffset;
    }

    /** Whether its quotes are not as they should be. */
    boolean isBroken() {
        return isBroken;
    }

    /** Those outside of quotes; of a row that is not broken. */
    int separators() {
        return separators;
    }

    /** The row without its line end. */
    byte[] bytes() {
        return Arrays.copyOfRange(buffer, start, end);
    }

    /** Goes to the next row; false at the end. */
    boolean advance() throws IOException {
        do {
            compact();
            start = position;
            if (!has(start)) {
                return false;
            }
            find();
        } while (!isBroken && isBlank());
        return true;
    }

    /**
     * Where a row that was broken went over the end of this line inside of quotes too, all that follows is as it was
     * then: so it is not looked at again, and lines that each open a quote take no longer than others.
     */
    private void find() throws IOException {
        int firstLineEnd = -1;
        boolean isQuoted = false;
        boolean isClosed = false;
        boolean isCellStart = true;
        boolean isMisquoted = false;
        separators = 0;
        brokenOffset = -1;
        int at = start;
        while (!isMisquoted && at - start <= ROW_BYTES_MAX && has(at) && (isQuoted || buffer[at] != '\n')) {
            byte b = buffer[at];
            at++;
            if (b == '\n') {
                firstLineEnd = firstLineEnd < 0 ? at - 1 : firstLineEnd;
                if (bufferOffset + at <= met.offset) {
                    at = (int) (met.offset - bufferOffset);
                    isQuoted = met.isQuoted;
                    isClosed = met.isClosed;
                    isCellStart = met.isCellStart;
                    isMisquoted = met.isMisquoted;
                }
            } else if (b == '"' && (isQuoted || isCellStart || isClosed)) {
                isClosed = isQuoted;
                isQuoted = !isQuoted;
                isCellStart = false;
            } else if (!isQuoted) {
                separators += b == separator ? 1 : 0;
                isMisquoted = isClosed && b != separator && b != '\r' && b != ' ';
                isClosed = isClosed && b == ' ';
                isCellStart = b == separator || (isCellStart && (b == ' ' || (b & 0x80) != 0));
            }
        }
        isBroken = isQuoted || isMisquoted || at - start > ROW_BYTES_MAX;
        if (isBroken) {
            met = new Met(bufferOffset + at, isQuoted, isClosed, isCellStart, isMisquoted);
        }
        end = isBroken ? lineEnd(firstLineEnd, at) : at;
        position = Math.min(limit, end + 1);
    }

    /** Of a broken row; its bytes are of no use any more, so that they may be given up. */
    private int lineEnd(int firstLineEnd, int from) throws IOException {
        if (firstLineEnd >= 0) {
            return firstLineEnd;
        }
        int at = from;
        while (has(at) && buffer[at] != '\n') {
            at++;
            if (at - start > ROW_BYTES_MAX) {
                bufferOffset += at;
                limit -= at;
                System.arraycopy(buffer, at, buffer, 0, limit);
                brokenOffset = brokenOffset < 0 ? bufferOffset - at + start : brokenOffset;
                start = 0;
                at = 0;
            }
        }
        return at;
    }

    private boolean isBlank() {
        for (int i = start; i < end; i++) {
            if (buffer[i] != '\r' && buffer[i] != ' ') {
                return false;
            }
        }
        return true;
    }

    /** Gives up what lies before the position. */
    private void compact() {
        if (position >= buffer.length / 2) {
            System.arraycopy(buffer, position, buffer, 0, limit - position);
            bufferOffset += position;
            limit -= position;
            position = 0;
        }
    }

    /** Whether there is a byte at the index. */
    private boolean has(int index) throws IOException {
        if (index < limit) {
            return true;
        }
        if (limit == buffer.length) {
            buffer = Arrays.copyOf(buffer, 2 * buffer.length);
        }
        limit += Math.max(0, in.read(buffer, limit, buffer.length - limit));
        return index < limit;
    }
}
