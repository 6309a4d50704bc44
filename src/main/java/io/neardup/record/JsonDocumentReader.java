package io.neardup.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.neardup.record.Rejection.RejectedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * Reads JSON objects (RFC 8259) in strict UTF-8 without a byte order mark.
 *
 * <p>The whole value is read even after the text was found. So every later reader can read a document that passes, and
 * in one way only: it has nothing malformed, no repeated keys, no trailing data and no lone surrogates. The limits
 * bound the work that one record can cause. Safe for use by several threads.
 */
public final class JsonDocumentReader implements DocumentReader {
    /** The deepest nesting of objects and arrays, the outermost included. */
    public static final int DEPTH_MAX = 100;
    /** The most tokens of a document: each key, each value that is no container, each start and end of a container. */
    public static final int TOKENS_MAX = 200_000;
    /** The most characters of a key. */
    public static final int KEY_LENGTH_MAX = 10_000;
    /** The most characters of a number. */
    public static final int NUMBER_LENGTH_MAX = 1_000;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final JsonFactory json;
    private final Pointers pointers;
    private final PointerTree tree;
    private final TextKind textKind;
    private final int valueBytesMax;

    /**
     * @param textKind what the texts are
     * @param valueBytesMax the largest value in bytes, at least 1
     * @throws IllegalArgumentException if a pointer is not a JSON pointer, or points to the whole document
     */
    public JsonDocumentReader(Pointers pointers, TextKind textKind, int valueBytesMax) {
        this.textKind = textKind;
        this.pointers = pointers;
        this.tree = PointerTree.of(pointers);
        this.valueBytesMax = valueBytesMax;
        this.json = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .disable(JsonFactory.Feature.CHARSET_DETECTION)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .streamReadConstraints(constraints(valueBytesMax))
                .build();
    }

    /** The walk itself stops at {@link #DEPTH_MAX}, so the parser's own limit is one more. */
    private static StreamReadConstraints constraints(int valueBytesMax) {
        return StreamReadConstraints.builder()
                .maxDocumentLength(valueBytesMax)
                .maxStringLength(valueBytesMax)
                .maxNestingDepth(DEPTH_MAX + 1)
                .maxTokenCount(TOKENS_MAX)
                .maxNameLength(KEY_LENGTH_MAX)
                .maxNumberLength(NUMBER_LENGTH_MAX)
                .build();
    }

    @Override
    public Result read(InputRecord record) {
        return Picked.read(record, pointers, textKind, picked -> scan(record.requireText(valueBytesMax), picked));
    }

    private void scan(byte[] value, Picked picked) throws RejectedException {
        if (startsWithByteOrderMark(value)) {
            throw new RejectedException(
                    Reason.NOT_JSON, "expected JSON without a byte order mark, found U+FEFF at byte 0");
        }
        try (JsonParser parser = json.createParser(value)) {
            JsonScanner walk = new JsonScanner(parser, value, picked);
            try {
                walk.run(tree);
            } catch (JsonProcessingException e) {
                throw malformed(e, walk);
            }
            int lone = JsonStrings.firstLoneSurrogate(value);
            if (lone >= 0) {
                throw new RejectedException(
                        Reason.LONE_SURROGATE, "expected surrogates in pairs, found one alone at byte " + lone);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("an array of bytes could not be read", e);
        }
    }

    /** Jackson's own messages are not passed on: they quote the document. */
    private static RejectedException malformed(JsonProcessingException e, JsonScanner walk) {
        String at = " at byte " + walk.byteOffset(); // exceeded limits come without a location
        if (e instanceof StreamConstraintsException) {
            return new RejectedException(
                    Reason.TOO_LARGE,
                    "expected at most %d tokens, keys of %d characters and numbers of %d, found more%s"
                            .formatted(TOKENS_MAX, KEY_LENGTH_MAX, NUMBER_LENGTH_MAX, at));
        }
        if (walk.isClosed()) {
            return new RejectedException(
                    Reason.TRAILING_DATA, "expected nothing after the JSON object, found something" + at);
        }
        // The parser has no type of its own for this error.
        if (e.getOriginalMessage().startsWith("Duplicate field")) {
            return new RejectedException(Reason.REPEATED_KEY, "expected different keys, found one again" + at);
        }
        return new RejectedException(Reason.NOT_JSON, "expected JSON (RFC 8259), found an error" + at);
    }

    private static boolean startsWithByteOrderMark(byte[] value) {
        return value.length >= BYTE_ORDER_MARK.length
                && Arrays.equals(value, 0, BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
    }
}
