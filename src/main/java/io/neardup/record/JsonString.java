package io.neardup.record;

/**
 * Takes a string out of JSON that was found well-formed and free of lone surrogates before: nothing is checked here.
 */
final class JsonString {
    private JsonString() {}

    /**
     * The string whose opening quotation mark stands before an offset. Where nothing is escaped it is a part of the
     * JSON, not a copy.
     *
     * @param room for a copy
     */
    static RawText at(byte[] json, int from, TextRoom room) {
        int end = quoteOrBackslash(json, from);
        return json[end] == '"' ? RawText.of(json, from, end) : unescaped(json, from, end, room);
    }

    /** No escape is shorter than its character. */
    private static RawText unescaped(byte[] json, int from, int firstBackslash, TextRoom room) {
        byte[] taken = room.take(json.length - from);
        byte[] text = taken != null ? taken : new byte[closing(json, firstBackslash) - from];
        int length = 0;
        int at = from;
        int end = firstBackslash;
        while (json[end] == '\\') {
            System.arraycopy(json, at, text, length, end - at);
            length += end - at;
            if (json[end + 1] == 'u') {
                int codePoint = codePoint(json, end);
                at = end
                        + (Character.isBmpCodePoint(codePoint)
                                ? SurrogateEscapes.UNIT_LENGTH
                                : 2 * SurrogateEscapes.UNIT_LENGTH);
                length = StrictUtf8.put(codePoint, text, length);
            } else {
                at = end + 2;
                text[length++] = unescaped(json[end + 1]);
            }
            end = quoteOrBackslash(json, at);
        }
        System.arraycopy(json, at, text, length, end - at);
        return RawText.of(text, 0, length + end - at);
    }

    private static int closing(byte[] json, int firstBackslash) {
        int at = firstBackslash;
        while (json[at] == '\\') {
            at = quoteOrBackslash(json, at + 2);
        }
        return at;
    }

    private static int codePoint(byte[] json, int at) {
        char unit = SurrogateEscapes.hex(json, at + 2);
        return Character.isHighSurrogate(unit)
                ? Character.toCodePoint(unit, SurrogateEscapes.hex(json, at + SurrogateEscapes.UNIT_LENGTH + 2))
                : unit;
    }

    private static byte unescaped(byte escape) {
        return switch (escape) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            default -> escape;
        };
    }

    private static int quoteOrBackslash(byte[] json, int from) {
        int at = from;
        while (at <= json.length - Long.BYTES && !hasQuoteOrBackslash(EightBytes.at(json, at))) {
            at += Long.BYTES;
        }
        while (json[at] != '"' && json[at] != '\\') {
            at++;
        }
        return at;
    }

    private static boolean hasQuoteOrBackslash(long bytes) {
        return (EightBytes.matches(bytes, '"') | EightBytes.matches(bytes, '\\')) != 0;
    }
}
