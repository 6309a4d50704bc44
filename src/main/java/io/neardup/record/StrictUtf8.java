package io.neardup.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Strict UTF-8 in arrays of bytes (RFC 3629, table 3-7 of the Unicode Standard): no overlong forms, no surrogates,
 * nothing above U+10FFFF. What is searched is looked at eight bytes at once.
 */
final class StrictUtf8 {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long SIGN_BITS = 0x8080808080808080L;

    private StrictUtf8() {}

    /** Returns the offset of the first sequence that is not UTF-8, or -1 if there is none. */
    static int firstMalformed(byte[] bytes) {
        int at = asciiEnd(bytes, 0);
        while (at < bytes.length) {
            int length = sequenceLength(bytes, at);
            if (length == 0) {
                return at;
            }
            at += length;
            if (at < bytes.length && bytes[at] >= 0) {
                at = asciiEnd(bytes, at);
            }
        }
        return -1;
    }

    /** Writes a code point that is no surrogate; returns the offset behind it. */
    static int put(int codePoint, byte[] utf8, int at) {
        int next = at;
        if (codePoint < 0x80) {
            utf8[next++] = (byte) codePoint;
            return next;
        }
        if (codePoint < 0x800) {
            utf8[next++] = (byte) (0xC0 | codePoint >> 6);
        } else {
            if (codePoint < 0x10000) {
                utf8[next++] = (byte) (0xE0 | codePoint >> 12);
            } else {
                utf8[next++] = (byte) (0xF0 | codePoint >> 18);
                utf8[next++] = (byte) (0x80 | (codePoint >> 12 & 0x3F));
            }
            utf8[next++] = (byte) (0x80 | (codePoint >> 6 & 0x3F));
        }
        utf8[next++] = (byte) (0x80 | (codePoint & 0x3F));
        return next;
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

    private static int asciiEnd(byte[] bytes, int from) {
        int at = from;
        while (at <= bytes.length - Long.BYTES && ((long) LONGS.get(bytes, at) & SIGN_BITS) == 0) {
            at += Long.BYTES;
        }
        while (at < bytes.length && bytes[at] >= 0) {
            at++;
        }
        return at;
    }

    /** Returns 2, 3 or 4, or 0 if what starts at the offset is not well formed. */
    private static int sequenceLength(byte[] bytes, int at) {
        int lead = bytes[at] & 0xFF;
        if (lead >= 0xE0 && lead <= 0xEF) {
            int low = lead == 0xE0 ? 0xA0 : 0x80;
            int high = lead == 0xED ? 0x9F : 0xBF;
            return within(bytes, at + 1, low, high) && continues(bytes, at + 2) ? 3 : 0;
        }
        if (lead >= 0xC2 && lead <= 0xDF) {
            return continues(bytes, at + 1) ? 2 : 0;
        }
        if (lead >= 0xF0 && lead <= 0xF4) {
            int low = lead == 0xF0 ? 0x90 : 0x80;
            int high = lead == 0xF4 ? 0x8F : 0xBF;
            boolean formed = within(bytes, at + 1, low, high) && continues(bytes, at + 2) && continues(bytes, at + 3);
            return formed ? 4 : 0;
        }
        return 0;
    }

    private static boolean continues(byte[] bytes, int at) {
        return at < bytes.length && (bytes[at] & 0xC0) == 0x80;
    }

    private static boolean within(byte[] bytes, int at, int low, int high) {
        return at < bytes.length && (bytes[at] & 0xFF) >= low && (bytes[at] & 0xFF) <= high;
    }
}
