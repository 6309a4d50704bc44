package io.neardup.tools.feed;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** The lines of one stream as bytes, split at {@code \n} alone; bytes beyond the maximum are counted, not kept. */
final class LineReader {
    private static final int BUFFER_LENGTH = 1 << 16;

    private final InputStream in;
    private final int lineBytesMax;
    private final byte[] buffer = new byte[BUFFER_LENGTH];
    private int position;
    private int limit;

    private byte[] line = new byte[1024];
    private int kept;
    private long length;
    private boolean blank;

    LineReader(InputStream in, int lineBytesMax) {
        this.in = in;
        this.lineBytesMax = lineBytesMax;
    }

    /** Moves to the next line; false at the end of the stream. */
    boolean advance() throws IOException {
        kept = 0;
        length = 0;
        blank = true;
        if (!fill()) {
            return false;
        }
        do {
            int end = lineFeed();
            append(position, end);
            position = end;
        } while (position == limit && fill());
        // Past the line feed, unless the stream ended without one.
        position = Math.min(position + 1, limit);
        return true;
    }

    /** Bytes of the line in the stream. */
    long length() {
        return length;
    }

    /** Whether the line has nothing but ASCII white space. */
    boolean isBlank() {
        return blank;
    }

    boolean isOversized() {
        return length > lineBytesMax;
    }

    /** A copy of the line, if it is not oversized. */
    byte[] bytes() {
        return Arrays.copyOf(line, kept);
    }

    private boolean fill() throws IOException {
        if (position == limit) {
            position = 0;
            limit = Math.max(0, in.read(buffer));
        }
        return limit > 0;
    }

    private int lineFeed() {
        int end = position;
        while (end < limit && buffer[end] != '\n') {
            end++;
        }
        return end;
    }

    private void append(int from, int to) {
        length += to - from;
        for (int i = from; blank && i < to; i++) {
            blank = buffer[i] == ' ' || (buffer[i] >= '\t' && buffer[i] <= '\r');
        }
        if (length <= lineBytesMax) {
            int size = kept + to - from;
            if (size > line.length) {
                line = Arrays.copyOf(line, (int) Math.min(lineBytesMax, Math.max(size, 2L * line.length)));
            }
            System.arraycopy(buffer, from, line, kept, to - from);
            kept = size;
        }
    }
}
