package io.neardup.record;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.neardup.record.Rejection.RejectedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One pass over one JSON document, to its very end, that picks up what the pointers name. On the way strings are
 * checked but not decoded, and numbers are never converted: 1e1000000000 stays twelve characters.
 */
final class JsonWalk {
    /**
     * The most keys of one object. The parser looks for repeated ones in a HashSet, and chosen keys make that 10 times
     * slower.
     */
    static final int KEYS_MAX = 10_000;

    /** In place of the number of a text. */
    static final int NO_TEXT = -1;

    private final JsonParser parser;
    private final int depthMax;
    private final TextKind textKind;
    /** Where the first character of each text is, 0 where there is no text. */
    private final int[] textStarts;
    /** Where each array of numbers ends. */
    private final int[] textEnds;

    private final Name id = new Name();
    private final Name scope = new Name();
    private int notString = NO_TEXT;
    private @Nullable JsonToken notStringToken;
    private boolean closed;

    JsonWalk(JsonParser parser, int texts, TextKind textKind, int depthMax) {
        this.parser = parser;
        this.depthMax = depthMax;
        this.textKind = textKind;
        this.textStarts = new int[texts];
        this.textEnds = new int[texts];
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
            PointerTree there = here == null ? null : here.child(parser.currentName());
            value(parser.nextToken(), there, depth);
        }
    }

    private void array(@Nullable PointerTree here, int depth) throws IOException, RejectedException {
        int index = 0;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            value(token, here == null ? null : here.child(index), depth);
            index++;
        }
    }

    private void value(JsonToken token, @Nullable PointerTree there, int depth) throws IOException, RejectedException {
        if (there != null) {
            take(token, there);
        }
        if (token.isStructStart()) {
            if (depth == depthMax) {
                throw new RejectedException(
                        Reason.TOO_DEEP, "expected objects and arrays nested at most " + depthMax + " deep" + at());
            }
            if (token == JsonToken.START_OBJECT) {
                object(there, depth + 1);
            } else {
                array(there, depth + 1);
                endArray(there);
            }
        }
    }

    private void take(JsonToken token, PointerTree there) throws IOException {
        if (there.isId()) {
            id.take(token, parser);
        }
        if (there.isScope()) {
            scope.take(token, parser);
        }
        int text = there.text();
        if (text == NO_TEXT || token == JsonToken.VALUE_NULL) {
            return;
        }
        JsonToken expected = textKind == TextKind.NUMBERS ? JsonToken.START_ARRAY : JsonToken.VALUE_STRING;
        if (token == expected) {
            textStarts[text] = offset() + 1;
        } else {
            notString = text;
            notStringToken = token;
        }
    }

    private void endArray(@Nullable PointerTree there) {
        if (there != null && there.text() != NO_TEXT) {
            textEnds[there.text()] = offset();
        }
    }

    private int offset() {
        return Math.toIntExact(parser.currentTokenLocation().getByteOffset());
    }

    /** The document's own id. */
    Name id() {
        return id;
    }

    Name scope() {
        return scope;
    }

    /** The number of the text that is not a string, or {@link #NO_TEXT}. */
    int notString() {
        return notString;
    }

    String notStringKind() {
        return kind(notStringToken);
    }

    /**
     * The texts found, in the order of their pointers: strings joined by line feeds, numbers by spaces. Null if there
     * is none.
     *
     * @param json what was read, to its end and without an error
     * @param room where the text may be written if it is the only one
     * @throws RejectedException if a text is HTML beyond a bound
     */
    @Nullable
    RawText text(byte[] json, RawText.Room room) throws RejectedException {
        RawText.Room ofEach = textStarts.length == 1 ? room : RawText.Room.NONE;
        List<RawText> texts = new ArrayList<>(textStarts.length);
        for (int i = 0; i < textStarts.length; i++) {
            int start = textStarts[i];
            if (start > 0) {
                texts.add(
                        textKind == TextKind.NUMBERS
                                ? numbers(json, start, textEnds[i])
                                : textKind.text(JsonStrings.at(json, start, ofEach)));
            }
        }
        return texts.isEmpty() ? null : RawText.joined(texts, textKind == TextKind.NUMBERS ? ' ' : '\n');
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

    static String kind(@Nullable JsonToken token) {
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

        /** Whether something was found that is neither a string nor an integer nor null. */
        boolean isNotText() {
            return text == null && token != null && token != JsonToken.VALUE_NULL;
        }

        String kind() {
            return JsonWalk.kind(token);
        }
    }

    /** JSON pointers (RFC 6901) merged into a tree, so that one pass over a document follows all of them. */
    static final class PointerTree {
        private static final Pattern NO_ESCAPE = Pattern.compile("~(?![01])");

        private final Map<String, PointerTree> children = new HashMap<>();
        private boolean id;
        private boolean scope;
        private int text = NO_TEXT;

        private PointerTree() {}

        /** @throws IllegalArgumentException for a pointer that does not point into an object */
        static PointerTree of(Pointers pointers) {
            PointerTree root = new PointerTree();
            if (pointers.idHeader() == null) {
                root.grow(pointers.id()).id = true;
            }
            for (int i = 0; i < pointers.texts().size(); i++) {
                root.grow(pointers.texts().get(i)).text = i;
            }
            String scopePointer = pointers.scope();
            if (scopePointer != null && pointers.scopeHeader() == null) {
                root.grow(scopePointer).scope = true;
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
            if (!pointer.startsWith("/") || NO_ESCAPE.matcher(pointer).find()) {
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

        @Nullable
        PointerTree child(String name) {
            return children.get(name);
        }

        @Nullable
        PointerTree child(int index) {
            return children.get(Integer.toString(index));
        }

        /** Whether the id is here. */
        boolean isId() {
            return id;
        }

        /** Whether the scope is here. */
        boolean isScope() {
            return scope;
        }

        /** The number of the text that is here, or {@link #NO_TEXT}. */
        int text() {
            return text;
        }
    }
}
