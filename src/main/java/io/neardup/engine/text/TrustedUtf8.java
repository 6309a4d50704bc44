package io.neardup.engine.text;

/** Reads and writes code points in UTF-8 that was found well-formed before: nothing is checked here. */
final class TrustedUtf8 {
    private TrustedUtf8() {}

    /** The code point whose first byte is at an offset; it must not be ASCII. */
    static int codePoint(byte[] utf8, int at) {
        int lead = utf8[at];
        int second = utf8[at + 1] & 0x3F;
        if (lead < (byte) 0xE0) {
            return (lead & 0x1F) << 6 | second;
        }
        int third = utf8[at + 2] & 0x3F;
        if (lead < (byte) 0xF0) {
            return (lead & 0x0F) << 12 | second << 6 | third;
        }
        return (lead & 0x07) << 18 | second << 12 | third << 6 | (utf8[at + 3] & 0x3F);
    }

    /** The bytes of the character with this first byte, which must not be ASCII. */
    static int length(int lead) {
        return lead < (byte) 0xE0 ? 2 : lead < (byte) 0xF0 ? 3 : 4;
    }

    /** Writes a character of the basic plane beyond ASCII; returns the offset behind it. */
    static int put(int codePoint, byte[] utf8, int at) {
        int next = at;
        if (codePoint < 0x800) {
            utf8[next++] = (byte) (0xC0 | codePoint >> 6);
        } else {
            utf8[next++] = (byte) (0xE0 | codePoint >> 12);
            utf8[next++] = (byte) (0x80 | (codePoint >> 6 & 0x3F));
        }
        utf8[next++] = (byte) (0x80 | (codePoint & 0x3F));
        return next;
    }
}
