package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/** Makes UTF-8 of UTF-16, so that readers can look for ASCII in bytes. */
final class Utf16 extends InputStream {
    private static final int CHARS = 1 << 13;
    private static final int MARKUP_LENGTH = 4;

    private final Reader reader;
    private final char[] chars = new char[CHARS];
    private int held;
    private byte[] bytes = {};
    private int position;

    Utf16(InputStream in, Charset charset) {
        this.reader = new InputStreamReader(in, charset);
    }

    /** The encoding of which bytes begin with the mark, or with two signs of markup without one; else null. */
    static @Nullable Charset mark(byte[] bytes) {
        if (bytes.length >= MARKUP_LENGTH && bytes[0] + bytes[1] == '<' && bytes[2] + bytes[3] > ' ') {
            boolean isLittle = bytes[1] == 0 && bytes[3] == 0;
            return isLittle ? UTF_16LE : bytes[0] == 0 && bytes[2] == 0 ? UTF_16BE : null;
        }
        if (bytes.length < 2 || (bytes[0] & bytes[1] & 0xfe) != 0xfe || bytes[0] == bytes[1]) {
            return null;
        }
        return bytes[0] == (byte) 0xfe ? UTF_16BE : UTF_16LE;
    }

    @Override
    public int read() throws IOException {
        return fill() ? bytes[position++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, bytes.length - position);
        System.arraycopy(bytes, position, into, from, count);
        position += count;
        return count;
    }

    private boolean fill() throws IOException {
        while (position == bytes.length) {
            int count = reader.read(chars, held, CHARS - held);
            if (count < 0) {
                return false;
            }
            int end = held + count;
            // The second half of a pair may come with the next read.
            int whole = Character.isHighSurrogate(chars[end - 1]) ? end - 1 : end;
            bytes = new String(chars, 0, whole).getBytes(UTF_8);
            position = 0;
            held = end - whole;
            chars[0] = chars[end - 1];
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
