package io.neardup.tools.feed;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a JSON array, one record each. Their bytes stay as they are, but ends of lines between them become
 * spaces, so that a record is a line. Only strings and brackets are looked at: whether an element is JSON is for who
 * reads the record, and a broken one takes none of the others with it, unless a string or a bracket is not closed.
 */
final class ArrayReader implements FormatReader {
    private static final int BUFFER_LENGTH = 1 << 16;

    private final String source;
    private final InputStream in;
    private final SkippedParts skipped;
    private final int recordBytesMax;
    private final byte[] buffer = new byte[BUFFER_LENGTH];
    private int position;
    private int limit;
    private long bufferOffset;

    private final ByteArrayOutputStream element = new ByteArrayOutputStream();
    private long length;
    private int depth;
    private long number;
    private boolean isEnded;

    ArrayReader(String source, InputStream in, SkippedParts skipped, int recordBytesMax) {
        this.source = source;
        this.in = in;
        this.skipped = skipped;
        this.recordBytesMax = recordBytesMax;
    }

    @Override
    public @Nullable FeedRecord next() throws IOException {
        if (number == 0) {
            begin();
        }
        while (!isEnded) {
            number++;
            FeedRecord record = element();
            if (record != null) {
                return record;
            }
        }
        return null;
    }

    @Override
    public long number() {
        return number;
    }

    /** Up to the bracket that the array begins with. */
    private void begin() throws IOException {
        int next = read();
        while (next >= 0 && next != '[') {
            next = read();
        }
    }

    private @Nullable FeedRecord element() throws IOException {
        element.reset();
        length = 0;
        depth = 0;
        int next = firstOfElement();
        long offset = bufferOffset + position - 1;
        while (next >= 0 && !(depth == 0 && (next == ',' || next == ']'))) {
            keep(next);
            if (next == '"') {
                readString();
            } else if (next == '{' || next == '[') {
                depth++;
            } else if (next == '}' || next == ']') {
                depth--;
            }
            next = read();
        }
        isEnded = next != ',';
        if (next < 0) {
            skipped.add(Skip.TRUNCATED, source, number, offset, "expected a closing bracket, found the end");
            return null;
        }
        if (next == ']') {
            checkRest();
        }
        return record();
    }

    private int firstOfElement() throws IOException {
        int next = read();
        while (isSpace(next)) {
            next = read();
        }
        return next;
    }

    /** Behind the last element nothing is expected. */
    private void checkRest() throws IOException {
        int next = firstOfElement();
        if (next >= 0) {
            skipped.add(
                    Skip.BROKEN,
                    source,
                    number + 1,
                    bufferOffset + position - 1,
                    "expected nothing behind the array, found something");
        }
    }

    /** Null for the nothing that an empty array has, or that is between two commas. */
    private @Nullable FeedRecord record() {
        if (length == 0) {
            return null;
        }
        return length > recordBytesMax
                ? FeedRecord.oversized(source, number, length)
                : FeedRecord.of(source, number, trimmed(element.toByteArray()));
    }

    private static byte[] trimmed(byte[] bytes) {
        int end = bytes.length;
        while (isSpace(bytes[end - 1])) {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }

    private void readString() throws IOException {
        int next = read();
        while (next >= 0 && next != '"') {
            keep(next);
            if (next == '\\') {
                next = read();
                keep(next);
            }
            next = read();
        }
        keep(next);
    }

    private void keep(int next) {
        if (next < 0) {
            return;
        }
        length++;
        if (length <= recordBytesMax) {
            element.write(next == '\n' || next == '\r' ? ' ' : next);
        }
    }

    private static boolean isSpace(int next) {
        return next == ' ' || next == '\n' || next == '\r' || next == '\t';
    }

    private int read() throws IOException {
        if (position == limit) {
            bufferOffset += limit;
            position = 0;
            limit = Math.max(0, in.read(buffer, 0, BUFFER_LENGTH));
        }
        return position < limit ? buffer[position++] & 0xff : -1;
    }
}
