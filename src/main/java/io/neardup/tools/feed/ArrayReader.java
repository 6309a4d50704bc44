package io.neardup.tools.feed;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a JSON array, one record each. Jackson says where they begin and end; their bytes stay as they are,
 * but ends of lines between them become spaces, so that a record is a line. What is no JSON ends the file.
 */
final class ArrayReader implements FormatReader {
    /** Deeper elements are no documents, and a level takes some hundred bytes. */
    private static final int DEPTH_MAX = 10_000;

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
            .build();

    private final String source;
    private final int recordBytesMax;
    private final Kept kept;
    private final JsonParser json;
    private long number;

    ArrayReader(String source, InputStream in, int recordBytesMax) throws IOException {
        this.source = source;
        this.recordBytesMax = recordBytesMax;
        this.kept = new Kept(in);
        this.json = JSON.createParser(kept);
    }

    @Override
    public @Nullable FeedRecord next() throws IOException {
        long start = -1;
        try {
            if (number == 0) {
                json.nextToken();
            }
            number++;
            JsonToken first = json.nextToken();
            start = json.currentTokenLocation().getByteOffset();
            if (first == null) {
                throw new DamagedException(Skip.TRUNCATED, 0, "expected a JSON array, found the end");
            }
            if (first == JsonToken.END_ARRAY) {
                checkRest();
                return null;
            }
            json.skipChildren();
            json.finishToken();
        } catch (JsonEOFException e) {
            throw new DamagedException(Skip.TRUNCATED, Math.max(start, 0), "expected a closing bracket, found the end");
        } catch (JsonProcessingException e) {
            throw new DamagedException(
                    Skip.BROKEN, e.getLocation().getByteOffset(), "expected an element of a JSON array, found no JSON");
        }
        long length = json.currentLocation().getByteOffset() - start;
        return length > recordBytesMax
                ? FeedRecord.oversized(source, number, length)
                : FeedRecord.of(source, number, kept.line(start, (int) length));
    }

    /** Behind the array nothing is expected. */
    private void checkRest() throws IOException {
        if (json.nextToken() != null) {
            throw new DamagedException(
                    Skip.BROKEN,
                    json.currentTokenLocation().getByteOffset(),
                    "expected nothing behind the array, found something");
        }
    }

    @Override
    public long number() {
        return number;
    }

    /** Keeps what the parser has read of an element, as far as it is not oversized. */
    private final class Kept extends FilterInputStream {
        private byte[] bytes = new byte[1 << 16];
        private int count;
        /** Of the first of them in the file. */
        private long offset;

        Kept(InputStream in) {
            super(in);
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException("read by arrays alone");
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int read = in.read(into, from, length);
            if (read > 0) {
                if (count > recordBytesMax + length) {
                    offset += count;
                    count = 0;
                }
                if (count + read > bytes.length) {
                    bytes = Arrays.copyOf(bytes, Math.max(count + read, 2 * bytes.length));
                }
                System.arraycopy(into, from, bytes, count, read);
                count += read;
            }
            return read;
        }

        /** Gives up what lies before, now and then. */
        byte[] line(long start, int length) {
            int from = (int) (start - offset);
            byte[] line = Arrays.copyOfRange(bytes, from, from + length);
            for (int i = 0; i < length; i++) {
                line[i] = line[i] == '\n' || line[i] == '\r' ? (byte) ' ' : line[i];
            }
            if (from + length > bytes.length / 2) {
                System.arraycopy(bytes, from + length, bytes, 0, count - from - length);
                count -= from + length;
                offset += from + length;
            }
            return line;
        }
    }
}
