package io.neardup.record;

import io.neardup.record.Rejection.RejectedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text as its producer wrote it, in well-formed UTF-8. Where it stands unchanged in the record's bytes it is a part
 * of them, so that nothing is copied. Nobody may change the array.
 */
public final class RawText {
    /** So many characters are decoded at once: their array is made for each record that is not ASCII. */
    private static final int DECODED_CHARS = 256;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long LOWEST_BITS = 0x0101_0101_0101_0101L;
    private static final long HIGHEST_BITS = LOWEST_BITS << 7;

    private final byte[] array;
    private final int from;
    private final int to;

    private RawText(byte[] array, int from, int to) {
        this.array = array;
        this.from = from;
        this.to = to;
    }

    /** A text, which must hold no unpaired surrogate: UTF-8 cannot carry one. */
    public static RawText of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    static RawText of(byte[] utf8) {
        return new RawText(utf8, 0, utf8.length);
    }

    static RawText of(byte[] utf8, int from, int to) {
        return new RawText(utf8, from, to);
    }

    /** The texts with a separator between them, an ASCII character; at least one. */
    static RawText joined(List<RawText> texts, char separator) {
        if (texts.size() == 1) {
            return texts.get(0);
        }
        int length = texts.stream().mapToInt(text -> text.length() + 1).sum() - 1;
        byte[] all = new byte[length];
        Arrays.fill(all, (byte) separator);
        int at = 0;
        for (RawText text : texts) {
            System.arraycopy(text.array, text.from, all, at, text.length());
            at += text.length() + 1;
        }
        return of(all);
    }

    /** The bytes, to be read only, from {@link #from()} up to {@link #to()}. */
    public byte[] array() {
        return array;
    }

    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    /** In bytes. */
    public int length() {
        return to - from;
    }

    /** In code points. */
    public int characters() {
        int continued = 0; // The bytes behind the first of a code point begin with the bits 10.
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long eight = (long) LONG.get(array, at);
            continued += Long.bitCount(eight >>> 7 & ~eight >>> 6 & LOWEST_BITS);
        }
        for (; at < to; at++) {
            continued += (array[at] & 0xC0) == 0x80 ? 1 : 0;
        }
        return length() - continued;
    }

    public String decode() {
        return new String(array, from, length(), StandardCharsets.UTF_8);
    }

    /** Whether there is nothing but white space as normalized texts define it. */
    public boolean isBlank() {
        int at = from;
        while (at < to && array[at] >= 0 && isSpace(array[at])) {
            at++;
        }
        // Nearly every text begins with a letter: then nothing has to be decoded.
        if (at < to && array[at] >= 0) {
            return false;
        }
        String rest = new String(array, at, to - at, StandardCharsets.UTF_8);
        return rest.codePoints().allMatch(RawText::isSpace);
    }

    private static boolean isSpace(int codePoint) {
        return Character.isWhitespace(codePoint) || Character.isSpaceChar(codePoint);
    }

    /** @param where in a message, with a space before it; empty for all of a value */
    static void requireUtf8(byte[] bytes, Reason reason, String where) throws RejectedException {
        int malformed = firstMalformed(bytes);
        if (malformed >= 0) {
            String found = "found 0x%02X at byte %d".formatted(bytes[malformed], malformed);
            throw new RejectedException(reason, "expected UTF-8 (RFC 3629)" + where + ", " + found);
        }
    }

    /**
     * The offset of the first sequence that is not UTF-8 as RFC 3629 has it, or -1 if there is none: no overlong forms,
     * no surrogates, nothing above U+10FFFF.
     */
    public static int firstMalformed(byte[] bytes) {
        return firstMalformed(bytes, 0, bytes.length);
    }

    /** As {@link #firstMalformed(byte[])}, of a part. */
    static int firstMalformed(byte[] bytes, int from, int to) {
        int at = from; // Most texts are ASCII for long.
        while (at <= to - Long.BYTES && ((long) LONG.get(bytes, at) & HIGHEST_BITS) == 0) {
            at += Long.BYTES;
        }
        while (at < to && bytes[at] >= 0) {
            at++;
        }
        if (at == to) {
            return -1;
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer part = ByteBuffer.wrap(bytes, at, to - at);
        CharBuffer dropped = CharBuffer.allocate(Math.min(to - at + 1, DECODED_CHARS));
        CoderResult result;
        do {
            result = decoder.decode(part, dropped.clear(), true);
        } while (result.isOverflow());
        return result.isError() ? part.position() : -1;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RawText that && Arrays.equals(array, from, to, that.array, that.from, that.to);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int at = from; at < to; at++) {
            hash = 31 * hash + array[at];
        }
        return hash;
    }

    /** The length alone: documents are not for logs. */
    @Override
    public String toString() {
        return length() + " bytes";
    }
}
