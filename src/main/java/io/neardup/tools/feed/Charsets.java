package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.record.RawText;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decodes bytes whose encoding is not certain. */
final class Charsets {
    /** What browsers take for text that is not what it says. */
    private static final Charset FALLBACK = Charset.forName("windows-1252");

    private static final String BYTE_ORDER_MARK = "\ufeff";
    private static final int CHARS = 1 << 13;
    private static final int MARKUP_LENGTH = 4;

    private Charsets() {}

    /** Names that stand for an encoding with more characters on the web (WHATWG Encoding, "names and labels"). */
    private static final Map<String, String> ON_THE_WEB = Map.of(
            "ISO-8859-1", "windows-1252",
            "US-ASCII", "windows-1252",
            "ISO-8859-9", "windows-1254",
            "TIS-620", "x-windows-874",
            "GB2312", "GB18030",
            "GBK", "GB18030",
            "Shift_JIS", "windows-31j",
            "EUC-KR", "x-windows-949",
            "Big5", "Big5-HKSCS");

    /** The encoding of a name, as browsers take it, or null if there is none of it. */
    static @Nullable Charset of(String name) {
        try {
            // Of Hebrew and Arabic: which way letters stand is not the encoding's.
            String found = Charset.forName(name.strip().replaceFirst("(?i)(?<=^iso-8859-[68])-[ei]$", ""))
                    .name();
            return Charset.forName(ON_THE_WEB.getOrDefault(found, found));
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return null;
        }
    }

    /** As {@link #of}, of a name that was read as ASCII: so it is none of UTF-16 and UTF-32, whatever it says. */
    static @Nullable Charset ofBytes(String name) {
        Charset found = of(name);
        return found == null || found.name().matches("(X-)?UTF-(16|32).*") ? null : found;
    }

    /** UTF-16 of which bytes begin with the mark, or with two signs of markup without one; else null. */
    static @Nullable Charset utf16(byte[] bytes) {
        if (bytes.length >= MARKUP_LENGTH && bytes[0] + bytes[1] == '<' && bytes[2] + bytes[3] > ' ') {
            boolean isLittle = bytes[1] == 0 && bytes[3] == 0;
            return isLittle ? UTF_16LE : bytes[0] == 0 && bytes[2] == 0 ? UTF_16BE : null;
        }
        if (bytes.length < 2 || (bytes[0] & bytes[1] & 0xfe) != 0xfe || bytes[0] == bytes[1]) {
            return null;
        }
        return bytes[0] == (byte) 0xfe ? UTF_16BE : UTF_16LE;
    }

    /** Of the byte order mark that bytes begin with; 0 without one. */
    static int markLength(byte[] bytes) {
        boolean isUtf8 =
                bytes.length >= 3 && bytes[0] == (byte) 0xef && bytes[1] == (byte) 0xbb && bytes[2] == (byte) 0xbf;
        return isUtf8 ? 3 : utf16(bytes) != null && (bytes[0] & 0xfe) == 0xfe ? 2 : 0;
    }

    /** By the encoding that is said; where that is UTF-8, or none is said, what is not UTF-8 by the fallback. */
    static String decode(byte[] bytes, @Nullable Charset said) {
        if (said != null && !said.equals(UTF_8)) {
            return new String(bytes, said);
        }
        return RawText.firstMalformed(bytes) < 0 ? new String(bytes, UTF_8) : decodeDamaged(bytes);
    }

    /** As UTF-8 with the fallback for single bytes, if more is UTF-8 than not; else by that alone. */
    private static String decodeDamaged(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer chars = CharBuffer.allocate(bytes.length);
        CharsetDecoder utf8 = UTF_8.newDecoder();
        int malformed = 0;
        for (CoderResult at = utf8.decode(in, chars, true); at.isError(); at = utf8.decode(in, chars, true)) {
            boolean isCut = at.length() == in.remaining();
            malformed += isCut ? 0 : at.length();
            for (int i = 0; i < at.length(); i++) {
                chars.put(fallback(in.get()));
            }
        }
        String mixed = chars.flip().toString();
        boolean isMostlyUtf8 = mixed.chars().filter(c -> c >= 0x80).count() > 2L * malformed;
        return isMostlyUtf8 || markLength(bytes) == 3 ? mixed : new String(bytes, FALLBACK);
    }

    /** As {@link #decode}, of a whole document, without its mark, which goes over what is said. */
    static String decodeWhole(byte[] bytes, @Nullable Charset said) {
        Charset utf16 = utf16(bytes);
        Charset known = markLength(bytes) == 3 ? UTF_8 : said;
        String text = utf16 != null ? new String(bytes, utf16) : decode(bytes, known);
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }

    /** What a byte is that is no UTF-8. */
    static char fallback(byte b) {
        return new String(new byte[] {b}, FALLBACK).charAt(0);
    }

    /** Makes UTF-8 of another encoding, so that readers can look for ASCII in bytes. */
    static InputStream utf8(InputStream in, Charset charset) {
        return new Transcoded(new InputStreamReader(in, charset));
    }

    /** A read gives what is there: that of commons-io waits until the buffer is full. */
    private static final class Transcoded extends InputStream {
        private final Reader reader;
        private final char[] chars = new char[CHARS];
        private ByteBuffer bytes = ByteBuffer.allocate(0);

        Transcoded(Reader reader) {
            this.reader = reader;
        }

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
    }
}
