package io.neardup.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds strings and escapes in the bytes of JSON, eight bytes at once. */
final class JsonStrings {
    /** Bytes of a code unit that is escaped by its number. */
    private static final int UNIT_LENGTH = 6;

    private static final int NO_UNIT = -1;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long SIGN_BITS = 0x8080808080808080L;

    private JsonStrings() {}

    /**
     * Returns the offset of the first escape {@code \}{@code ud800} to {@code \}{@code udfff} outside of a pair, or -1.
     * JSON parsers let them pass, but such a string has no UTF-8 form. In strict UTF-8 a surrogate can only be written
     * as an escape, so only escapes are looked at. A document without a backslash costs a tenth of a microsecond.
     *
     * @param json well-formed JSON as UTF-8
     */
    static int firstLoneSurrogate(byte[] json) {
        int at = first(json, 0, '\\', '\\');
        while (at < json.length) {
            int unit = unit(json, at);
            if (unit == NO_UNIT || !Character.isSurrogate((char) unit)) {
                at += 2; // the escaped character too: it may be a backslash
            } else if (isPair(unit, unit(json, at + UNIT_LENGTH))) {
                at += 2 * UNIT_LENGTH;
            } else {
                return at;
            }
            at = first(json, at, '\\', '\\');
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
        int unit = 0;
        for (int i = at + 2; i < at + UNIT_LENGTH; i++) {
            unit = unit << 4 | Character.digit(json[i], 16);
        }
        return unit;
    }

    /** Returns the offset of the first of two ASCII characters, or the length. Both may be the same. */
    static int first(byte[] bytes, int from, char one, char other) {
        int at = from;
        while (at <= bytes.length - Long.BYTES) {
            long eight = (long) LONGS.get(bytes, at);
            if ((matches(eight, one) | matches(eight, other)) != 0) {
                break;
            }
            at += Long.BYTES;
        }
        while (at < bytes.length && bytes[at] != one && bytes[at] != other) {
            at++;
        }
        return at;
    }

    /**
     * Not 0 if any of eight bytes is this ASCII character. Mycroft's trick (1987) is exact for this: it errs only above
     * a byte that did match.
     */
    private static long matches(long eight, char ascii) {
        long zeros = eight ^ ascii * ONES;
        return zeros - ONES & ~zeros & SIGN_BITS;
    }
}
