package io.neardup.record;

/**
 * Checks for strict UTF-8 (RFC 3629, table 3-7 of the Unicode Standard): no overlong forms, no surrogates, nothing
 * above U+10FFFF.
 */
final class StrictUtf8 {
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

    private static int asciiEnd(byte[] bytes, int from) {
        int at = from;
        while (at <= bytes.length - Long.BYTES && EightBytes.areAscii(EightBytes.at(bytes, at))) {
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
