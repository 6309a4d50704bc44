package io.neardup.tools.feed;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a JSON array, or JSON values one after the other, one record each. Jackson says where they
 * begin and end; their bytes stay as they are, but ends of lines between them become spaces, so that a record is a
 * line. What is no JSON ends the file; what some writers make of it, such as NaN, does not.
 *
 * <p>Jackson is given a char for each byte, so that its places are bytes, and no encoding is wrong.
 */
final class ArrayReader extends FormatReader {
    /** Deeper elements are no documents, and a level takes some hundred bytes. */
    static final int DEPTH_MAX = 100_000;
    /** The most bytes of a name or a number, and of a string that is an element, as Jackson holds these whole. */
    static final int TOKEN_BYTES_MAX = 16 << 20;

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .enable(JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            // It would hold every name there is.
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEPTH_MAX)
                    .maxNameLength(TOKEN_BYTES_MAX)
                    .maxNumberLength(TOKEN_BYTES_MAX)
                    .maxStringLength(TOKEN_BYTES_MAX)
                    .build())
            .build();

    private final boolean isArray;
    private final Kept kept;
    private final JsonParser array;

    /** @param isArray else there are no brackets around the values */
    ArrayReader(String source, InputStream in, boolean isArray, Skipped skipped, int recordBytesMax)
            throws IOException {
        super(source, skipped, recordBytesMax);
        this.isArray = isArray;
        this.kept = new Kept(in);
        this.array = JSON.createParser(kept);
    }

    @Override
    @Nullable
    FeedRecord read() throws IOException {
        try {
            if (number == 1 && isArray) {
                array.nextToken();
            }
            kept.start = place();
            JsonToken first = array.nextToken();
            if (first == null && !isArray) {
                return null;
            }
            if (first == null) {
                throw new DamagedException(Skip.TRUNCATED, 0, "expected a JSON array, found the end");
            }
            kept.start = array.currentTokenLocation().getCharOffset();
            if (first == JsonToken.END_ARRAY) {
                checkRest();
                return null;
            }
            array.skipChildren();
            array.finishToken();
        } catch (JsonEOFException e) {
            throw new DamagedException(Skip.TRUNCATED, kept.start, "expected a closing bracket, found the end");
        } catch (StreamConstraintsException e) {
            boolean isDeep = array.getParsingContext().getNestingDepth() > DEPTH_MAX;
            throw new DamagedException(
                    isDeep ? Skip.TOO_DEEP : Skip.TOO_LARGE,
                    kept.start,
                    "expected at most " + DEPTH_MAX + " levels of an element, and " + TOKEN_BYTES_MAX
                            + " bytes of a name, number or string, found more");
        } catch (JsonProcessingException e) {
            throw new DamagedException(
                    Skip.BROKEN,
                    e.getLocation().getCharOffset(),
                    "expected an element of a JSON array, or an object, found no JSON");
        }
        long length = place() - kept.start;
        return new FeedRecord(source, number, length > recordBytesMax ? new byte[0] : kept.line((int) length), length);
    }

    private long place() {
        return array.currentLocation().getCharOffset();
    }

    /** After the array nothing is expected. */
    private void checkRest() throws IOException {
        if (array.nextToken() != null) {
            throw new DamagedException(
                    Skip.BROKEN,
                    array.currentTokenLocation().getCharOffset(),
                    "expected nothing after the array, found more");
        }
    }

    /** Keeps what the parser has read of an element, as far as it is not oversized. */
    private final class Kept extends Reader {
        private final InputStream in;
        private byte[] bytes = new byte[1 << 14];
        private int count;
        /** Of the first of them in the file. */
        private long offset;
        /** Where in the file the element begins, or what lies before it. */
        private long start;

        Kept(InputStream in) {
            this.in = in;
        }

        @Override
        public int read(char[] into, int from, int length) throws IOException {
            discard();
            if (count + length > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(count + length, 2 * bytes.length));
            }
            int read = in.read(bytes, count, length);
            for (int i = 0; i < read; i++) {
                into[from + i] = (char) (bytes[count + i] & 0xff);
            }
            count += Math.max(0, read);
            return read;
        }

        /** What lies before the element, and the element itself where it is oversized already. */
        private void discard() {
            int spent = 0;
            if (start >= offset) {
                spent = (int) (start - offset);
                while (spent < count && isBetween(bytes[spent])) {
                    spent++;
                }
                start = offset + spent;
            }
            spent = offset + count - start > recordBytesMax ? count : spent;
            System.arraycopy(bytes, spent, bytes, 0, count - spent);
            count -= spent;
            offset += spent;
        }

        private static boolean isBetween(byte b) {
            return b == ' ' || b == ',' || b == '\n' || b == '\r' || b == '\t';
        }

        byte[] line(int length) {
            int from = (int) (start - offset);
            byte[] line = Arrays.copyOfRange(bytes, from, from + length);
            for (int i = 0; i < length; i++) {
                line[i] = line[i] == '\n' || line[i] == '\r' ? (byte) ' ' : line[i];
            }
            return line;
        }

        @Override
        public void close() {
            // whoever opened the file does
        }
    }
}
