package io.neardup.streams.store;

import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * How values of a kind are laid out in bytes, both ways: the version, then their fields.
 *
 * @param what names them in messages, such as "a decision"
 * @param version of the layout that this release writes and reads
 * @param bytes about how many a value takes; a buffer that is too small grows
 * @param put writes the fields
 * @param take reads them
 */
public record Layout<T>(
        String what, int version, ToIntFunction<T> bytes, BiConsumer<ByteWriter, T> put, Function<ByteReader, T> take) {
    private static final int BYTES = 64;

    /** Of small values. */
    Layout(String what, int version, BiConsumer<ByteWriter, T> put, Function<ByteReader, T> take) {
        this(what, version, value -> BYTES, put, take);
    }

    public byte[] encode(T value) {
        ByteWriter to = new ByteWriter(bytes.applyAsInt(value)).putByte(version);
        put.accept(to, value);
        return to.toBytes();
    }

    /**
     * The value that {@link #encode} made these bytes of.
     *
     * @throws WireException if they are of another version, cut off or not ours
     */
    public T decode(byte[] encoded) {
        return ByteReader.decode(what, version, encoded, take);
    }
}
