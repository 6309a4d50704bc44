package io.neardup.record;

/** Strings within JSON that was found well-formed before: nothing but surrogates is checked here. */
final class JsonStrings {
    /** Bytes of a code unit that is escaped by its number. */
    private static final int UNIT_LENGTH = 6;

    private static final int NO_UNIT = -1;

    private JsonStrings() {}

    /**
     * Returns the offset of the first escape {@code \}{@code ud800} to {@code \}{@code udfff} outside of a pair, or -1.
     * JSON parsers let them pass, but such a string has no UTF-8 form. In strict UTF-8 a surrogate can only be written
     * as an escape, so only escapes are looked at. A document without a backslash costs a tenth of a microsecond.
     *
     * @param json well-formed JSON as UTF-8
     */
    static int firstLoneSurrogate(byte[] json) {
        int at = StrictUtf8.first(json, 0, '\\', '\\');
        while (at < json.length) {
            int unit = unit(json, at);
            if (unit == NO_UNIT || !Character.isSurrogate((char) unit)) {
                at += 2; // the escaped character too: it may be a backslash
            } else if (isPair(unit, unit(json, at + UNIT_LENGTH))) {
                at += 2 * UNIT_LENGTH;
            } else {
                return at;
            }
            at = StrictUtf8.first(json, at, '\\', '\\');
        }
        return -1;
    }

    private static boolean isPair(int unit, int next) {
        return Character.isHighSurrogate((char) unit) && next != NO_UNIT && Character.isLowSurrogate((char) next);
    }

    /** The UTF-16 unit that an escape at the offset stands for. */
    private static int unit(byte[] json, int at) {
        if (at + UNIT_LENGTH > json.length || json[at] != '\\' || json[at + 1] != 'u') {
            return NO_UNIT;
        }
        return hex(json, at + 2);
    }

    /** The UTF-16 unit that four hexadecimal digits stand for. */
    static char hex(byte[] json, int from) {
        int unit = 0;
        for (int i = from; i < from + 4; i++) {
            unit = unit << 4 | Character.digit(json[i], 16);
        }
        return (char) unit;
    }

    /**
     * The string whose opening quotation mark stands before an offset. Where nothing is escaped it is a part of the
     * JSON, not a copy.
     *
     * @param json without lone surrogates
     * @param room for a copy
     */
    static RawText at(byte[] json, int from, RawText.Room room) {
        int end = quoteOrBackslash(json, from);
        return json[end] == '"' ? RawText.of(json, from, end) : unescaped(json, from, end, room);
    }

    /** No escape is shorter than its character. */
    private static RawText unescaped(byte[] json, int from, int firstBackslash, RawText.Room room) {
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
                at = end + (Character.isBmpCodePoint(codePoint) ? UNIT_LENGTH : 2 * UNIT_LENGTH);
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
        char unit = hex(json, at + 2);
        return Character.isHighSurrogate(unit) ? Character.toCodePoint(unit, hex(json, at + UNIT_LENGTH + 2)) : unit;
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
        return StrictUtf8.first(json, from, '"', '\\');
    }
}
