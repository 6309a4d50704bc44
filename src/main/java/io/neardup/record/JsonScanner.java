package io.neardup.record;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.neardup.record.Rejection.RejectedException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One pass over one JSON document, to its very end, that picks up what the pointers name. On the way strings are
 * checked but not decoded, and numbers are never converted: 1e1000000000 stays twelve characters.
 */
final class JsonScanner {
    /**
     * The most keys of one object. The parser looks for repeated ones in a HashSet, and chosen keys make that 10 times
     * slower.
     */
    static final int KEYS_MAX = 10_000;

    private final JsonParser parser;
    private final byte[] json;
    private final Picked picked;
    private boolean closed;

    /** @param json what the parser reads */
    JsonScanner(JsonParser parser, byte[] json, Picked picked) {
        this.parser = parser;
        this.json = json;
        this.picked = picked;
    }

    /** Reads the document to its end. What was found before an error stays readable. */
    void run(PointerTree root) throws IOException, RejectedException {
        JsonToken first = parser.nextToken();
        if (first != JsonToken.START_OBJECT) {
            throw new RejectedException(
                    first == null ? Reason.NOT_JSON : Reason.NOT_OBJECT,
                    "expected a JSON object, found " + kind(first) + at());
        }
        object(root, 1);
        closed = true;
        JsonToken more = parser.nextToken();
        if (more != null) {
            throw new RejectedException(
                    Reason.TRAILING_DATA, "expected nothing after the JSON object, found " + kind(more) + at());
        }
    }

    private void object(@Nullable PointerTree here, int depth) throws IOException, RejectedException {
        int keys = 0;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            if (++keys > KEYS_MAX) {
                throw new RejectedException(
                        Reason.TOO_LARGE, "expected at most " + KEYS_MAX + " keys in an object, found more" + at());
            }
            PointerTree there = PointerTree.child(here, parser.currentName());
            value(parser.nextToken(), there, depth);
        }
    }

    private void array(@Nullable PointerTree here, int depth) throws IOException, RejectedException {
        int index = 0;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            value(token, here == null ? null : PointerTree.child(here, Integer.toString(index)), depth);
            index++;
        }
    }

    private void value(JsonToken token, @Nullable PointerTree there, int depth) throws IOException, RejectedException {
        if (there != null) {
            take(token, there);
        }
        if (!token.isStructStart()) {
            return;
        }
        if (depth == JsonDocumentReader.DEPTH_MAX) {
            throw new RejectedException(
                    Reason.TOO_DEEP,
                    "expected objects and arrays nested at most " + JsonDocumentReader.DEPTH_MAX + " deep" + at());
        }
        if (token == JsonToken.START_OBJECT) {
            object(there, depth + 1);
            return;
        }
        int start = offset() + 1;
        array(there, depth + 1);
        if (there != null && there.text() != PointerTree.NO_TEXT && picked.wantsNumbers()) {
            picked.takeText(there, numbers(json, start, offset()));
        }
    }

    private void take(JsonToken token, PointerTree there) throws IOException {
        if (there.isId() || there.isScope()) {
            boolean isName = token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT;
            picked.takeName(there, kind(token), isName ? parser.getText() : null);
        }
        if (there.text() == PointerTree.NO_TEXT) {
            return;
        }
        if (token != (picked.wantsNumbers() ? JsonToken.START_ARRAY : JsonToken.VALUE_STRING)) {
            picked.takeNoText(there, kind(token));
        } else if (token == JsonToken.VALUE_STRING) {
            picked.takeText(there, string(offset() + 1));
        }
    }

    /** Where nothing is escaped it is a part of the JSON, not a copy. */
    private RawText string(int from) throws IOException {
        int end = JsonStrings.first(json, from, '"', '\\');
        return end < json.length && json[end] == '"' ? RawText.of(json, from, end) : RawText.of(parser.getText());
    }

    private int offset() {
        return Math.toIntExact(parser.currentTokenLocation().getByteOffset());
    }

    /**
     * The inside of an array, with one space for each run of white space and commas. Anything that is not a number
     * stays.
     */
    private static RawText numbers(byte[] json, int from, int to) {
        byte[] text = new byte[to - from];
        int length = 0;
        for (int i = from; i < to; i++) {
            boolean between = json[i] == ',' || (json[i] <= ' ' && json[i] >= 0);
            if (!between) {
                text[length++] = json[i];
            } else if (length > 0 && text[length - 1] != ' ') {
                text[length++] = ' ';
            }
        }
        return RawText.of(text, 0, length > 0 && text[length - 1] == ' ' ? length - 1 : length);
    }

    /** Whether the end of the JSON object has been seen. */
    boolean isClosed() {
        return closed;
    }

    /** How far the parser has come. */
    long byteOffset() {
        return parser.currentLocation().getByteOffset();
    }

    private String at() {
        // An empty input has no place at all: -1.
        return " at byte " + Math.max(0, parser.currentTokenLocation().getByteOffset());
    }

    private static String kind(@Nullable JsonToken token) {
        if (token == null) {
            return "nothing";
        }
        return switch (token) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            case VALUE_STRING -> "a string";
            case VALUE_NUMBER_INT -> "an integer";
            case VALUE_NUMBER_FLOAT -> "a number with a fraction or an exponent";
            case VALUE_TRUE, VALUE_FALSE -> "a boolean";
            case VALUE_NULL -> Picked.NULL;
            default -> "something else";
        };
    }
}
