package io.neardup.tools.feed;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Lines as they stand, one record each. Only {@code \n} ends a line: a {@code \r} before it belongs to the line, and
 * what follows the last one is a line. Lines of ASCII white space alone are skipped, but counted in the numbers of
 * those after them. Not by Jackson: a line that is no JSON is for who reads the record, and takes no other with it.
 */
final class JsonLinesReader extends FormatReader {
    private static final int BUFFER_LENGTH = 1 << 16;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_LENGTH];
    private int position;
    private int limit;

    private byte[] line = new byte[1024];
    private int kept;
    /** Of the line; bytes beyond the maximum are counted, not kept. */
    private long length;

    private boolean isBlank;

    JsonLinesReader(String source, InputStream in, Skipped skipped, int recordBytesMax) {
        super(source, skipped, recordBytesMax);
        this.in = in;
    }

    @Override
    @Nullable
    FeedRecord read() throws IOException {
        while (advance()) {
            if (!isBlank) {
                return new FeedRecord(source, number, Arrays.copyOf(line, length > recordBytesMax ? 0 : kept), length);
            }
            number++;
        }
        return null;
    }

    /** Moves to the next line; false at the end. */
    private boolean advance() throws IOException {
        kept = 0;
        length = 0;
        isBlank = true;
        if (!fill()) {
            return false;
        }
        do {
            int end = position;
            while (end < limit && buffer[end] != '\n') {
                end++;
            }
            append(position, end);
            position = end;
        } while (position == limit && fill());
        // Past the line feed, unless the stream ended without one.
        position = Math.min(position + 1, limit);
        return true;
    }

    private boolean fill() throws IOException {
        if (position == limit) {
            position = 0;
            limit = Math.max(0, in.read(buffer));
        }
        return limit > 0;
    }

    private void append(int from, int to) {
        length += to - from;
        for (int i = from; isBlank && i < to; i++) {
            isBlank = buffer[i] == ' ' || (buffer[i] >= '\t' && buffer[i] <= '\r');
        }
        if (length <= recordBytesMax) {
            int size = kept + to - from;
            if (size > line.length) {
                line = Arrays.copyOf(line, (int) Math.min(recordBytesMax, Math.max(size, 2L * line.length)));
            }
            System.arraycopy(buffer, from, line, kept, to - from);
            kept = size;
        }
    }
}
