package io.neardup.record;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.neardup.record.Rejection.RejectedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private static final int NO_TEXT = -1;

    private final JsonParser parser;
    private final byte[] json;
    private final TextKind textKind;
    private final Name id;
    private final Name scope;
    /** The texts found, by their number. */
    private final @Nullable RawText[] texts;

    private int notTextual = NO_TEXT;
    private @Nullable JsonToken notTextualToken;
    private boolean closed;

    /**
     * A walk that is to begin.
     *
     * @param json what the parser reads
     * @param texts how many there may be
     * @param id where the document's own id goes
     */
    JsonScanner(JsonParser parser, byte[] json, int texts, TextKind textKind, Name id, Name scope) {
        this.parser = parser;
        this.json = json;
        this.textKind = textKind;
        this.texts = new RawText[texts];
        this.id = id;
        this.scope = scope;
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
            PointerTree there = here == null ? null : here.children.get(parser.currentName());
            value(parser.nextToken(), there, depth);
        }
    }

    private void array(@Nullable PointerTree here, int depth) throws IOException, RejectedException {
        int index = 0;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            value(token, here == null ? null : here.children.get(Integer.toString(index)), depth);
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
        if (there != null && there.text != NO_TEXT && textKind == TextKind.NUMBERS) {
            texts[there.text] = numbers(json, start, offset());
        }
    }

    private void take(JsonToken token, PointerTree there) throws IOException {
        if (there.isId) {
            id.take(token, parser);
        }
        if (there.isScope) {
            scope.take(token, parser);
        }
        if (there.text == NO_TEXT || token == JsonToken.VALUE_NULL) {
            return;
        }
        if (token != (textKind == TextKind.NUMBERS ? JsonToken.START_ARRAY : JsonToken.VALUE_STRING)) {
            notTextual = there.text;
            notTextualToken = token;
        } else if (token == JsonToken.VALUE_STRING) {
            texts[there.text] = string(offset() + 1);
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
     * The texts found, in the order of their pointers: strings joined by line feeds, numbers by spaces. To be called
     * when the document was read without an error.
     *
     * @throws RejectedException if there is none, or one that is not of the kind, or HTML beyond a bound
     */
    RawText text(List<String> pointers) throws RejectedException {
        if (notTextual != NO_TEXT) {
            throw new RejectedException(
                    Reason.TEXT_NOT_STRING,
                    "expected " + textKind.description() + " at " + pointers.get(notTextual) + ", found "
                            + kind(notTextualToken));
        }
        List<RawText> found = new ArrayList<>(texts.length);
        for (RawText text : texts) {
            if (text != null) {
                found.add(textKind.text(text));
            }
        }
        if (found.isEmpty()) {
            throw new RejectedException(
                    Reason.NO_TEXT,
                    "expected " + textKind.description() + " at " + String.join(" or ", pointers) + ", found none");
        }
        return RawText.joined(found, textKind == TextKind.NUMBERS ? ' ' : '\n');
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
            case VALUE_NULL -> "null";
            default -> "something else";
        };
    }

    /** A string or an integer that names something, if there is one. */
    static final class Name {
        private @Nullable JsonToken token;
        private @Nullable String text;

        void take(JsonToken found, JsonParser parser) throws IOException {
            token = found;
            text = found == JsonToken.VALUE_STRING || found == JsonToken.VALUE_NUMBER_INT ? parser.getText() : null;
        }

        /** Takes what a header brought. */
        void take(@Nullable String found) {
            text = found;
        }

        /** Null where nothing was found, or something that is neither a string nor an integer. */
        @Nullable
        String text() {
            return text;
        }

        /** @throws RejectedException if something was found that is neither a string nor an integer nor null */
        void requireText(Reason reason, @Nullable String pointer) throws RejectedException {
            if (text == null && token != null && token != JsonToken.VALUE_NULL) {
                throw new RejectedException(
                        reason, "expected a string or an integer at " + pointer + ", found " + kind(token));
            }
        }
    }

    /** JSON pointers (RFC 6901) merged into a tree, so that one pass over a document follows all of them. */
    static final class PointerTree {
        private final Map<String, PointerTree> children = new HashMap<>();
        private boolean isId;
        private boolean isScope;
        /** The number of the text that is here, or {@link #NO_TEXT}. */
        private int text = NO_TEXT;

        private PointerTree() {}

        /** @throws IllegalArgumentException for a pointer that does not point into an object */
        static PointerTree of(Pointers pointers) {
            PointerTree root = new PointerTree();
            if (pointers.idHeader() == null) {
                root.grow(pointers.id()).isId = true;
            }
            for (int i = 0; i < pointers.texts().size(); i++) {
                root.grow(pointers.texts().get(i)).text = i;
            }
            String scopePointer = pointers.scope();
            if (scopePointer != null && pointers.scopeHeader() == null) {
                root.grow(scopePointer).isScope = true;
            }
            return root;
        }

        private PointerTree grow(String pointer) {
            PointerTree node = this;
            for (String name : names(pointer)) {
                node = node.children.computeIfAbsent(name, unused -> new PointerTree());
            }
            return node;
        }

        private static List<String> names(String pointer) {
            if (!Pointers.isPointer(pointer)) {
                throw new IllegalArgumentException(
                        "expected a JSON pointer (RFC 6901) into an object, such as /text or /article/body, found \""
                                + pointer + "\"");
            }
            List<String> names = new ArrayList<>();
            for (String name : pointer.substring(1).split("/", -1)) {
                names.add(name.replace("~1", "/").replace("~0", "~"));
            }
            return names;
        }
    }
}
