package io.neardup.engine.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;

/**
 * A buffer for the normalized form of a text, from UTF-8 to UTF-8 without a String between. It grows and is used again
 * for text after text. Not safe for use by several threads.
 *
 * <p>The form is that of {@link NormalizedText#of(String, LetterCase)}, to the byte. Plain ASCII is taken eight bytes
 * at a time, any character whose form depends on no other ({@link LoneForms}) by itself. A text with any other
 * character goes through {@link NormalizedText} as a whole.
 */
public final class NormalizedBuffer {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long SIGN_BITS = 0x8080808080808080L;
    private static final long SPACES = ' ' * ONES;

    private final LetterCase letterCase;
    /** All bits where capitals are to become small letters. */
    private final long lowering;

    private byte[] bytes = new byte[4096];
    private int length;
    /** 1 where a space would be dropped: after a space, and at the start. */
    private int afterSpace;

    public NormalizedBuffer(LetterCase letterCase) {
        this.letterCase = letterCase;
        this.lowering = letterCase == LetterCase.LOWER ? -1L : 0;
    }

    /** The backing array, not a copy: valid up to {@link #length()}, until the next change. */
    public byte[] array() {
        return bytes;
    }

    public int length() {
        return length;
    }

    /** A copy of the normalized form. */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    /**
     * Takes the normalized form of a text.
     *
     * @param utf8 well-formed UTF-8 from one offset up to another
     */
    public void set(byte[] utf8, int from, int to) {
        makeRoom(to - from);
        length = 0;
        afterSpace = 1;
        int at = from;
        while (at >= 0 && at < to) {
            at = at + Long.BYTES <= to && takeAscii((long) LONGS.get(utf8, at))
                    ? at + Long.BYTES
                    : takeCharacters(utf8, at, Math.min(to, at + Long.BYTES));
        }
        if (at < 0) {
            setAny(new String(utf8, from, to - from, StandardCharsets.UTF_8));
        } else if (length > 0 && bytes[length - 1] == ' ') {
            length--;
        }
    }

    /** Takes a text that is in normalized form. */
    public void setNormalized(byte[] utf8, int from, int to) {
        makeRoom(to - from);
        length = to - from;
        System.arraycopy(utf8, from, bytes, 0, length);
    }

    private void setAny(String raw) {
        byte[] normalized = NormalizedText.of(raw, letterCase).getBytes(StandardCharsets.UTF_8);
        makeRoom(normalized.length);
        System.arraycopy(normalized, 0, bytes, 0, normalized.length);
        length = normalized.length;
    }

    /** A lower case letter takes at most half as many bytes again; the buffer is written a long at a time. */
    private void makeRoom(int rawLength) {
        long needed = rawLength + (rawLength >> 1) + 2L * Long.BYTES;
        if (bytes.length < needed) {
            bytes = new byte[Math.toIntExact(needed)];
        }
    }

    /** Takes eight bytes, if they are ASCII without control characters and without a space that must go. */
    private boolean takeAscii(long word) {
        if ((word & SIGN_BITS) != 0 || ((word - SPACES) & SIGN_BITS) != 0) {
            return false;
        }
        // Each byte is below 0x80 here, so that no sum carries into the next one.
        long spaces = ~((word ^ SPACES) + 0x7F * ONES) & SIGN_BITS;
        if ((spaces & (spaces << Byte.SIZE | (long) afterSpace << 7)) != 0) {
            return false;
        }
        long capitals = (word + (0x80 - 'A') * ONES) & ~(word + (0x7F - 'Z') * ONES) & SIGN_BITS;
        LONGS.set(bytes, length, word | ((capitals >>> 2) & lowering));
        length += Long.BYTES;
        afterSpace = (int) (spaces >>> 63);
        return true;
    }

    /**
     * Takes characters until an offset is reached. Returns where the next one starts, or -1 if the form of one depends
     * on those around it.
     */
    private int takeCharacters(byte[] utf8, int from, int end) {
        int at = from;
        while (at < end) {
            int lead = utf8[at];
            if (lead >= 0) {
                put((byte) LoneForms.of(lead, letterCase));
                at++;
                continue;
            }
            int form = LoneForms.of(TrustedUtf8.codePoint(utf8, at), letterCase);
            if (form == LoneForms.NONE) {
                return -1;
            }
            at += TrustedUtf8.length(lead);
            if (form < 0x80) {
                put((byte) form);
            } else {
                length = TrustedUtf8.put(form, bytes, length);
                afterSpace = 0;
            }
        }
        return at;
    }

    /** Without a branch on the text: what follows a space overwrites the spaces that repeat it. */
    private void put(byte ascii) {
        bytes[length] = ascii;
        int space = ((ascii ^ ' ') - 1) >>> 31;
        length += 1 - (space & afterSpace);
        afterSpace = space;
    }

    /**
     * The normalized forms of those characters whose form does not depend on what surrounds them. Such a character is
     * in NFC, never joins the one before it, never moves among marks, and has one single character as its lower case.
     * Not among them are marks, the vowels and final consonants of Hangul, capital sigma, dotted capital I, and all
     * beyond the basic plane.
     */
    static final class LoneForms {
        static final char NONE = 0xFFFF;

        private static final char HANGUL_JAMO = 0x1100;
        private static final char HANGUL_JAMO_END = 0x1200;
        private static final char[] FORMS = new char[0x10000];

        static {
            for (int c = 0; c < FORMS.length; c++) {
                FORMS[c] = isAlone((char) c) ? NormalizedText.spaced(Character.toLowerCase((char) c)) : NONE;
            }
        }

        private LoneForms() {}

        /** The form of a code point in small letters, a space for white space of any kind, or {@link #NONE}. */
        static char of(int codePoint) {
            return codePoint < FORMS.length ? FORMS[codePoint] : NONE;
        }

        /** As {@link #of(int)}, or with the case of letters kept. */
        static char of(int codePoint, LetterCase letterCase) {
            char form = of(codePoint);
            return letterCase == LetterCase.LOWER || form == NONE ? form : NormalizedText.spaced((char) codePoint);
        }

        private static boolean isAlone(char c) {
            boolean joins = TokenChars.isMark(c) || (c >= HANGUL_JAMO && c < HANGUL_JAMO_END);
            boolean lowersByContext = c == NormalizedText.CAPITAL_SIGMA || c == '\u0130';
            return c != NONE
                    && !Character.isSurrogate(c)
                    && !joins
                    && !lowersByContext
                    && Normalizer.isNormalized(String.valueOf(c), Normalizer.Form.NFC);
        }
    }
}
