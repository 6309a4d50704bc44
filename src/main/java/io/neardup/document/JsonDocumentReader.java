package io.neardup.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON objects (RFC 8259) in strict UTF-8 without a byte order mark.
 *
 * <p>The whole value is read even after the text was found, so a document that passes is one that every later reader
 * can read in one way only: nothing malformed, no repeated keys, no trailing data, no lone surrogates anywhere. Every
 * limit is a bound of the work that one record can cause. Safe for use by several threads.
 */
public final class JsonDocumentReader implements DocumentReader {
    /** Objects and arrays within one another, the outermost included. */
    public static final int DEPTH_MAX = 100;
    /** Tokens of a document: each key, each value that is no container, each start and end of one. */
    public static final int TOKENS_MAX = 200_000;
    /** Characters of a key. */
    public static final int KEY_LENGTH_MAX = 10_000;
    /** Characters of a number. */
    public static final int NUMBER_LENGTH_MAX = 1_000;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final JsonFactory json;
    private final PointerTree pointers;
    private final String idPointer;
    private final List<String> textPointers;
    private final String textPlaces;
    private final TextKind textKind;
    private final int valueBytesMax;

    /**
     * @param idPointer where the id is, a JSON pointer (RFC 6901): a string or an integer. Where it is missing, null or
     *     empty, the record's key is the id if it is UTF-8 and not empty, else {@code topic-partition-offset}.
     * @param textPointers where the texts are: one or more. Missing ones and nulls are skipped as long as there is one;
     *     several are joined by a line feed, in this order.
     * @param textKind what the texts are
     * @param valueBytesMax the largest value in bytes, at least 1
     * @throws IllegalArgumentException if a pointer is none, leads to the whole document, or is a text pointer given
     *     twice
     */
    public JsonDocumentReader(String idPointer, List<String> textPointers, TextKind textKind, int valueBytesMax) {
        this.textKind = textKind;
        this.pointers = PointerTree.of(idPointer, textPointers);
        this.idPointer = idPointer;
        this.textPointers = List.copyOf(textPointers);
        this.textPlaces = String.join(" or ", textPointers);
        this.valueBytesMax = valueBytesMax;
        this.json = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .disable(JsonFactory.Feature.CHARSET_DETECTION)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .streamReadConstraints(constraints(valueBytesMax))
                .build();
    }

    /** The walk stops at {@link #DEPTH_MAX} by itself; the parser's own limit stands one behind it. */
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
    public ReadResult read(InputRecord record) {
        byte[] value = record.value();
        if (value == null) {
            return Values.missing(null);
        }
        Rejection unreadable = Values.check(value, valueBytesMax, null);
        if (unreadable != null) {
            return unreadable;
        }
        if (startsWithByteOrderMark(value)) {
            return new Rejection(
                    Reason.NOT_JSON, "expected JSON without a byte order mark, found U+FEFF at byte 0", null);
        }
        try (JsonParser parser = json.createParser(value)) {
            return read(record, value, new JsonWalk(parser, textPointers.size(), textKind, DEPTH_MAX));
        } catch (IOException e) {
            throw new UncheckedIOException("an array of bytes could not be read", e);
        }
    }

    private ReadResult read(InputRecord record, byte[] value, JsonWalk walk) throws IOException {
        try {
            walk.run(pointers);
            requireNoLoneSurrogate(value);
        } catch (RejectedException e) {
            return e.rejection(DocumentIds.carried(walk.id()));
        } catch (JsonProcessingException e) {
            return malformed(e, walk).rejection(DocumentIds.carried(walk.id()));
        }
        return judge(record, value, walk);
    }

    private static void requireNoLoneSurrogate(byte[] value) throws RejectedException {
        int lone = SurrogateEscapes.firstLone(value);
        if (lone >= 0) {
            throw new RejectedException(
                    Reason.LONE_SURROGATE, "expected surrogates in pairs, found one alone at byte " + lone);
        }
    }

    /** Jackson's own messages are not passed on: they quote the document. */
    private static RejectedException malformed(JsonProcessingException e, JsonWalk walk) {
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

    private ReadResult judge(InputRecord record, byte[] value, JsonWalk walk) {
        if (walk.isIdNotText()) {
            String detail = "expected a string or an integer at " + idPointer + ", found " + walk.idKind();
            return new Rejection(Reason.ID_NOT_TEXT, detail, null);
        }
        String id = DocumentIds.resolve(walk.id(), record);
        if (DocumentIds.isTooLong(id)) {
            return DocumentIds.tooLong(id);
        }
        if (walk.notString() != PointerTree.NO_TEXT) {
            String pointer = textPointers.get(walk.notString());
            String detail = "expected " + textKind.description() + " at " + pointer + ", found " + walk.notStringKind();
            return new Rejection(Reason.TEXT_NOT_STRING, detail, id);
        }
        return document(id, walk.text(value));
    }

    private ReadResult document(String id, @Nullable RawText text) {
        if (text == null) {
            return new Rejection(
                    Reason.NO_TEXT, "expected " + textKind.description() + " at " + textPlaces + ", found none", id);
        }
        return Values.document(id, text, textPlaces);
    }

    private static boolean startsWithByteOrderMark(byte[] value) {
        return value.length >= BYTE_ORDER_MARK.length
                && Arrays.equals(value, 0, BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
    }
}
