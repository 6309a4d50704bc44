package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes fields one after the other: big endian, or in 7 bits a byte with the lowest first where they are mostly small.
 */
final class ByteWriter {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] bytes;
    private int size;

    ByteWriter(int capacity) {
        bytes = new byte[Math.max(capacity, 16)];
    }

    ByteWriter putByte(int value) {
        room(1);
        bytes[size++] = (byte) value;
        return this;
    }

    ByteWriter putLong(long value) {
        room(Long.BYTES);
        LONG.set(bytes, size, value);
        size += Long.BYTES;
        return this;
    }

    /** What {@link #putBytes} takes for a value. */
    static int lengthOf(byte[] value) {
        return smallLength(value.length) + value.length;
    }

    /** What {@link #putSmall} takes for a value. */
    static int smallLength(long value) {
        return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7);
    }

    /** A number of at least 0: 1 byte below 128, 9 at the most. */
    ByteWriter putSmall(long value) {
        room(smallLength(value));
        long rest = value;
        while (rest >>> 7 != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
        return this;
    }

    ByteWriter putBytes(byte[] value) {
        putSmall(value.length);
        room(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
        return this;
    }

    ByteWriter putNullable(byte @Nullable [] value) {
        putByte(value == null ? 0 : 1);
        return value == null ? this : putBytes(value);
    }

    ByteWriter putText(String value) {
        return putBytes(value.getBytes(UTF_8));
    }

    /** What the buffer can take before it grows. */
    int capacity() {
        return bytes.length;
    }

    int size() {
        return size;
    }

    /** Starts anew, in the same buffer. */
    ByteWriter clear() {
        size = 0;
        return this;
    }

    byte[] copy() {
        return Arrays.copyOf(bytes, size);
    }

    /** The buffer itself if it is full: nothing may be written then any more. */
    byte[] toBytes() {
        return size == bytes.length ? bytes : copy();
    }

    private void room(int needed) {
        if (bytes.length - size < needed) {
            bytes = Arrays.copyOf(bytes, Math.max(size + needed, 2 * bytes.length));
        }
    }
}
