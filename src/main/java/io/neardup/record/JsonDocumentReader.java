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
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON objects (RFC 8259) in strict UTF-8 without a byte order mark.
 *
 * <p>The whole value is read even after the text was found. So every later reader can read a document that passes, and
 * in one way only: it has nothing malformed, no repeated keys, no trailing data and no lone surrogates. The limits
 * bound the work that one record can cause. Safe for use by several threads, if it has no {@link RawText.Room}.
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
    private final JsonWalk.PointerTree tree;
    private final String textPlaces;
    private final TextKind textKind;
    private final int valueBytesMax;
    private final RawText.Room room;

    /**
     * A reader whose texts stay.
     *
     * @param textKind what the texts are
     * @param valueBytesMax the largest value in bytes, at least 1
     * @throws IllegalArgumentException if a pointer is not a JSON pointer, or points to the whole document
     */
    public JsonDocumentReader(Pointers pointers, TextKind textKind, int valueBytesMax) {
        this(pointers, textKind, valueBytesMax, RawText.Room.NONE);
    }

    /**
     * As {@link #JsonDocumentReader(Pointers, TextKind, int)}.
     *
     * @param room of this reader alone, or {@link RawText.Room#NONE}
     */
    public JsonDocumentReader(Pointers pointers, TextKind textKind, int valueBytesMax, RawText.Room room) {
        this.room = room;
        this.textKind = textKind;
        this.pointers = pointers;
        this.tree = JsonWalk.PointerTree.of(pointers);
        this.textPlaces = String.join(" or ", pointers.texts());
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
        String id = null;
        try {
            id = pointers.idInHeader(record);
            return read(record, id, pointers.scopeInHeader(record));
        } catch (RejectedException e) {
            return e.rejection(DocumentIds.carried(id));
        }
    }

    /** Id and scope are those of headers. */
    private Result read(InputRecord record, @Nullable String id, @Nullable String scope) {
        byte[] value = record.value();
        if (value == null) {
            return Rejection.ofMissingValue(DocumentIds.carried(id));
        }
        Rejection unreadable = Rejection.ofUnreadable(value, valueBytesMax, DocumentIds.carried(id));
        if (unreadable != null) {
            return unreadable;
        }
        if (startsWithByteOrderMark(value)) {
            return new Rejection(
                    Reason.NOT_JSON,
                    "expected JSON without a byte order mark, found U+FEFF at byte 0",
                    DocumentIds.carried(id));
        }
        try (JsonParser parser = json.createParser(value)) {
            JsonWalk walk = new JsonWalk(parser, pointers.texts().size(), textKind, DEPTH_MAX);
            walk.id().take(id);
            walk.scope().take(scope);
            return read(record, value, walk);
        } catch (IOException e) {
            throw new UncheckedIOException("an array of bytes could not be read", e);
        }
    }

    private Result read(InputRecord record, byte[] value, JsonWalk walk) throws IOException {
        try {
            walk.run(tree);
            requireNoLoneSurrogate(value);
        } catch (RejectedException e) {
            return e.rejection(DocumentIds.carried(walk.id().text()));
        } catch (JsonProcessingException e) {
            return malformed(e, walk).rejection(DocumentIds.carried(walk.id().text()));
        }
        return result(record, value, walk);
    }

    private static void requireNoLoneSurrogate(byte[] value) throws RejectedException {
        int lone = JsonStrings.firstLoneSurrogate(value);
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

    private Result result(InputRecord record, byte[] value, JsonWalk walk) {
        if (walk.id().isNotText()) {
            return notText(Reason.ID_NOT_TEXT, pointers.id(), walk.id(), null);
        }
        String id = DocumentIds.resolve(walk.id().text(), record);
        if (DocumentIds.isTooLong(id)) {
            return DocumentIds.tooLong(id);
        }
        if (walk.scope().isNotText()) {
            return notText(Reason.SCOPE_NOT_TEXT, pointers.scope(), walk.scope(), id);
        }
        if (walk.notString() != JsonWalk.NO_TEXT) {
            String pointer = pointers.texts().get(walk.notString());
            String detail = "expected " + textKind.description() + " at " + pointer + ", found " + walk.notStringKind();
            return new Rejection(Reason.TEXT_NOT_STRING, detail, id);
        }
        try {
            String scope = walk.scope().text();
            return document(id, walk.text(value, room), scope == null ? "" : scope);
        } catch (RejectedException e) {
            return e.rejection(id);
        }
    }

    private static Rejection notText(
            Reason reason, @Nullable String pointer, JsonWalk.Name found, @Nullable String id) {
        return new Rejection(reason, "expected a string or an integer at " + pointer + ", found " + found.kind(), id);
    }

    private Result document(String id, @Nullable RawText text, String scope) {
        if (text == null) {
            return new Rejection(
                    Reason.NO_TEXT, "expected " + textKind.description() + " at " + textPlaces + ", found none", id);
        }
        return Document.of(id, text, scope, textKind.place(textPlaces));
    }

    private static boolean startsWithByteOrderMark(byte[] value) {
        return value.length >= BYTE_ORDER_MARK.length
                && Arrays.equals(value, 0, BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
    }
}
