package io.neardup.record;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text as its producer wrote it, in well-formed UTF-8. Where it stands unchanged in the record's bytes it is a part
 * of them, so that nothing is copied. Nobody may change the array.
 */
public final class RawText {
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

    public String decode() {
        return new String(array, from, length(), StandardCharsets.UTF_8);
    }

    /** Whether there is nothing but white space as normalized texts define it. */
    boolean isBlank() {
        int at = from;
        while (at < to) {
            int length = lengthOf(array[at]);
            char first =
                    array[at] >= 0 ? (char) array[at] : new String(array, at, length, StandardCharsets.UTF_8).charAt(0);
            // No white space lies outside of the basic plane.
            if (!isSpace(first)) {
                return false;
            }
            at += length;
        }
        return true;
    }

    /** The number of bytes of a character, by its first byte. */
    private static int lengthOf(byte lead) {
        return lead >= 0 ? 1 : Integer.numberOfLeadingZeros(~lead << (Integer.SIZE - Byte.SIZE));
    }

    private static boolean isSpace(char unit) {
        return Character.isWhitespace(unit) || Character.isSpaceChar(unit);
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

    /**
     * Where a reader writes texts that do not stand in their records as they are. A text that was written here is there
     * until the next one is read. For one reader, which is for one thread then.
     */
    public static final class Room {
        /** None: each text gets its own array and stays; for any number of readers and threads. */
        public static final Room NONE = new Room(0);

        /** Longer ones get their own arrays, too. */
        private static final int BYTES_MAX = 64 * 1024;

        private final int bytesMax;
        private byte[] room = {};

        private Room(int bytesMax) {
            this.bytesMax = bytesMax;
        }

        public static Room ofOneReader() {
            return new Room(BYTES_MAX);
        }

        /** An array for a text of at most so many bytes, with anything in it; null where there is none. */
        byte @Nullable [] take(int bytes) {
            if (bytes > bytesMax) {
                return null;
            }
            if (room.length < bytes) {
                room = new byte[Math.min(bytesMax, 2 * bytes)];
            }
            return room;
        }
    }
}
