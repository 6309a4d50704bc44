package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Decodes bytes whose encoding is not certain. UTF-16 is told by its byte order mark alone. */
public final class Charsets {
    /** Of the byte order mark of UTF-8. */
    static final int MARK_LENGTH = 3;

    /** What browsers take for text that is not what it says. */
    private static final Charset FALLBACK = Charset.forName("windows-1252");

    private static final int CHARS = 1 << 13;

    private Charsets() {}

    /** The encoding of a name, or null if there is none of it, or bytes that name it as ASCII cannot be in it. */
    static @Nullable Charset of(String name) {
        try {
            Charset found = Charset.forName(name.strip());
            return found.name().matches("(X-)?UTF-(16|32).*") ? null : found;
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return null;
        }
    }

    /** Whether bytes begin with the mark of UTF-8. */
    static boolean hasMark(byte[] bytes) {
        return bytes.length >= MARK_LENGTH
                && bytes[0] == (byte) 0xef
                && bytes[1] == (byte) 0xbb
                && bytes[2] == (byte) 0xbf;
    }

    /** Whether bytes begin with a mark of UTF-16. */
    static boolean hasMark16(byte[] bytes) {
        return bytes.length >= 2 && (bytes[0] & bytes[1] & 0xfe) == 0xfe && bytes[0] != bytes[1];
    }

    /** A head in an encoding that has ASCII as one byte each, without a mark. */
    static byte[] ascii(byte[] head) {
        return hasMark16(head)
                ? decode(head, null).getBytes(UTF_8)
                : hasMark(head) ? Arrays.copyOfRange(head, MARK_LENGTH, head.length) : head;
    }

    /**
     * Decodes what is said to be of an encoding, without its mark; where it is not said, or not UTF-8 against it, by
     * the fallback.
     */
    static String decode(byte[] bytes, @Nullable Charset said) {
        Charset charset = said;
        if (hasMark16(bytes)) {
            charset = UTF_16;
        } else if (said == null || said.equals(UTF_8)) {
            charset = isUtf8(bytes) ? UTF_8 : FALLBACK;
        }
        String text = new String(bytes, charset);
        return text.startsWith("\ufeff") ? text.substring(1) : text;
    }

    /** What a byte is that is no UTF-8. */
    static char fallback(byte b) {
        return new String(new byte[] {b}, FALLBACK).charAt(0);
    }

    /** Whether bytes are UTF-8, all of them. */
    public static boolean isUtf8(byte[] bytes) {
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /** Makes UTF-8 of UTF-16 with a mark, so that readers can look for ASCII in bytes. */
    static InputStream utf8(InputStream in) {
        Reader reader = new InputStreamReader(in, UTF_16);
        return new InputStream() {
            private final char[] chars = new char[CHARS];
            private ByteBuffer bytes = ByteBuffer.allocate(0);

            @Override
            public int read() throws IOException {
                return fill() ? bytes.get() & 0xff : -1;
            }

            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                if (!fill()) {
                    return -1;
                }
                int count = Math.min(length, bytes.remaining());
                bytes.get(into, from, count);
                return count;
            }

            /** A reader gives both halves of a surrogate pair at once. */
            private boolean fill() throws IOException {
                int count = bytes.hasRemaining() ? 0 : reader.read(chars, 0, CHARS);
                if (count > 0) {
                    bytes = ByteBuffer.wrap(new String(chars, 0, count).getBytes(UTF_8));
                }
                return bytes.hasRemaining();
            }
        };
    }
}
