package io.neardup.feed;

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
    /** Of a row whose first bytes were given up; else -1. */
    private long brokenOffset = -1;

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

    private void find() throws IOException {
        int firstLineEnd = -1;
        boolean isQuoted = false;
        boolean isClosed = false;
        boolean isCellStart = true;
        isBroken = false;
        brokenOffset = -1;
        int at = start;
        while (!isBroken && has(at) && (isQuoted || buffer[at] != '\n')) {
            byte b = buffer[at];
            if (b == '\n' && firstLineEnd < 0) {
                firstLineEnd = at;
            }
            if (b == '"' && (isQuoted || isCellStart || isClosed)) {
                isClosed = isQuoted;
                isQuoted = !isQuoted;
                isCellStart = false;
            } else if (!isQuoted) {
                isBroken = isClosed && b != separator && b != '\r' && b != ' ';
                isClosed = isClosed && b == ' ';
                isCellStart = b == separator || (isCellStart && (b == ' ' || (b & 0x80) != 0));
            }
            at++;
            isBroken |= at - start > ROW_BYTES_MAX;
        }
        isBroken |= isQuoted;
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
