package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads what {@link ByteWriter} wrote. Whatever the bytes are, it ends with a value or a {@link WireException}. */
final class ByteReader {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final String what;
    private final byte[] bytes;
    private int position;

    /** @param what names the bytes in messages, such as "a batch of messages" */
    ByteReader(String what, byte[] bytes) {
        this.what = what;
        this.bytes = bytes;
    }

    /** Reads the version that every layout starts with. */
    ByteReader expectVersion(int expected) {
        return expectVersion(expected, expected);
    }

    ByteReader expectVersion(int min, int max) {
        takeVersion(min, max);
        return this;
    }

    /** Reads the version that a layout starts with, of those from the least on. */
    int takeVersion(int min, int max) {
        int found = takeByte();
        if (found < min || found > max) {
            throw new WireException(what + ": expected version " + (min == max ? "" : min + " to ") + max + ", found "
                    + found + "; " + (found < min ? "an earlier" : "a later")
                    + " release wrote it, and the settings topic names the one that made the index: run that one, or"
                    + " start anew under another application.id (src/docs/changes.md)");
        }
        return found;
    }

    int takeByte() {
        require(1);
        return bytes[position++] & 0xFF;
    }

    boolean takeFlag() {
        int flag = takeByte();
        if (flag > 1) {
            throw broken("0 or 1", String.valueOf(flag));
        }
        return flag == 1;
    }

    long takeLong() {
        require(Long.BYTES);
        long value = (long) LONG.get(bytes, position);
        position += Long.BYTES;
        return value;
    }

    long takeSmall() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
            int next = takeByte();
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw broken("a number of at most 9 bytes", "a longer one");
    }

    /** A number of things that take at least so many bytes each. A false count cannot ask for more than there is. */
    int takeCount(int bytesEach) {
        long count = takeSmall();
        if (count > (bytes.length - position) / bytesEach) {
            throw broken("at most " + (bytes.length - position) / bytesEach + " more", String.valueOf(count));
        }
        return (int) count;
    }

    /** A number from 0 to {@code max}. */
    int takeInt(int max) {
        long value = takeSmall();
        if (value < 0 || value > max) {
            throw broken("a number to " + max, String.valueOf(value));
        }
        return (int) value;
    }

    byte[] takeBytes() {
        int length = takeCount(1);
        byte[] value = Arrays.copyOfRange(bytes, position, position + length);
        position += length;
        return value;
    }

    /** Goes past what {@link #takeBytes} would take. */
    void passBytes() {
        int length = takeCount(1);
        position += length;
    }

    byte @Nullable [] takeNullable() {
        return takeByte() == 0 ? null : takeBytes();
    }

    String takeText() {
        return new String(takeBytes(), UTF_8);
    }

    boolean atEnd() {
        return position == bytes.length;
    }

    void expectEnd() {
        if (!atEnd()) {
            throw broken("the end", (bytes.length - position) + " more bytes");
        }
    }

    WireException broken(String expected, String found) {
        return new WireException(
                what + ", byte " + position + " of " + bytes.length + ": expected " + expected + ", found " + found);
    }

    private void require(int count) {
        if (bytes.length - position < count) {
            throw broken(count + " more bytes", String.valueOf(bytes.length - position));
        }
    }
}
