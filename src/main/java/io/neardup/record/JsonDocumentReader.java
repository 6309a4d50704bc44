package io.neardup.record;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.neardup.record.Rejection.RejectedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

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

    private final JsonFactory json;
    private final Pointers pointers;
    private final PointerTree tree;
    private final TextKind textKind;
    private final int valueBytesMax;

    /**
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
        try (JsonParser parser = json.createParser(value)) {
            Scan scan = new Scan(parser, value, picked);
            try {
                scan.run(tree);
            } catch (JsonProcessingException e) {
                throw scan.malformed(e);
            }
            int lone = scan.firstLoneSurrogate();
            if (lone >= 0) {
                throw new RejectedException(
                        Reason.LONE_SURROGATE, "expected surrogates in pairs, found one alone at byte " + lone);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("an array of bytes could not be read", e);
        }
    }

    /**
     * One pass over one JSON document, to its very end, that picks up what the pointers name. On the way strings are
     * checked but not decoded, and numbers are never converted: 1e1000000000 stays twelve characters.
     */
    private static final class Scan {
        /**
         * The most keys of one object. The parser looks for repeated ones in a HashSet, and chosen keys make that 10
         * times slower.
         */
        static final int KEYS_MAX = 10_000;

        /** Chars of a code unit that is escaped by its number. */
        private static final int UNIT_LENGTH = 6;

        private final JsonParser parser;
        private final byte[] json;
        /** The same with a char for each byte: to find one in a String is fast. */
        private final String chars;

        private final Picked picked;
        private boolean closed;

        Scan(JsonParser parser, byte[] json, Picked picked) {
            this.parser = parser;
            this.json = json;
            this.chars = new String(json, ISO_8859_1);
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

        private void value(JsonToken token, @Nullable PointerTree there, int depth)
                throws IOException, RejectedException {
            boolean isOfNumbers = there != null && token == JsonToken.START_ARRAY && picked.wantsNumbers(there);
            if (there != null && !isOfNumbers) {
                take(token, there);
            }
            if (!token.isStructStart()) {
                return;
            }
            if (depth == DEPTH_MAX) {
                throw new RejectedException(
                        Reason.TOO_DEEP, "expected objects and arrays nested at most " + DEPTH_MAX + " deep" + at());
            }
            if (token == JsonToken.START_OBJECT) {
                object(there, depth + 1);
                return;
            }
            int start = offset() + 1;
            array(there, depth + 1);
            if (there != null && isOfNumbers) {
                picked.take(there, kind(token), null, numbers(json, start, offset()));
            }
        }

        private void take(JsonToken token, PointerTree there) throws IOException {
            boolean isName = (token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT)
                    && (there.isId() || there.isScope());
            boolean isText = token == JsonToken.VALUE_STRING && picked.wantsString(there);
            picked.take(there, kind(token), isName ? parser.getText() : null, isText ? string(offset() + 1) : null);
        }

        /** Where nothing is escaped it is a part of the JSON, not a copy. */
        private RawText string(int from) throws IOException {
            int end = chars.indexOf('"', from);
            int escape = chars.indexOf('\\', from);
            boolean isPlain = end >= 0 && (escape < 0 || escape > end);
            return isPlain ? RawText.of(json, from, end) : RawText.of(parser.getText());
        }

        /**
         * Returns the offset of the first escape {@code \}{@code ud800} to {@code \}{@code udfff} outside of a pair, or
         * -1. JSON parsers let them pass, but such a string has no UTF-8 form. In strict UTF-8 a surrogate can only be
         * written as an escape, so only escapes are looked at.
         */
        int firstLoneSurrogate() {
            int at = chars.indexOf('\\');
            while (at >= 0) {
                char unit = unit(at);
                if (!Character.isSurrogate(unit)) {
                    at += 2; // the escaped character too: it may be a backslash
                } else if (Character.isSurrogatePair(unit, unit(at + UNIT_LENGTH))) {
                    at += 2 * UNIT_LENGTH;
                } else {
                    return at;
                }
                at = chars.indexOf('\\', at);
            }
            return -1;
        }

        /** The UTF-16 unit that an escape by a number stands for; 0 where there is none. */
        private char unit(int at) {
            boolean isNumber = chars.startsWith("\\u", at);
            return isNumber ? (char) Integer.parseInt(chars, at + 2, at + UNIT_LENGTH, 16) : 0;
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

        /** Jackson's own messages are not passed on: they quote the document. */
        private RejectedException malformed(JsonProcessingException e) {
            String at =
                    " at byte " + parser.currentLocation().getByteOffset(); // exceeded limits come without a location
            if (e instanceof StreamConstraintsException) {
                return new RejectedException(
                        Reason.TOO_LARGE,
                        ("expected at most %d tokens, keys of %d characters, numbers of %d and few keys of one hash,"
                                        + " found more%s")
                                .formatted(TOKENS_MAX, KEY_LENGTH_MAX, NUMBER_LENGTH_MAX, at));
            }
            if (closed) {
                return new RejectedException(
                        Reason.TRAILING_DATA, "expected nothing after the JSON object, found something" + at);
            }
            // The parser has no type of its own for this error.
            if (e.getOriginalMessage().startsWith("Duplicate field")) {
                return new RejectedException(Reason.REPEATED_KEY, "expected different keys, found one again" + at);
            }
            return new RejectedException(Reason.NOT_JSON, "expected JSON (RFC 8259), found an error" + at);
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
}
