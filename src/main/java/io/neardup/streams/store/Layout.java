package io.neardup.streams.store;

import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * How values of a kind are laid out in bytes, both ways: the version, then their fields.
 *
 * @param what names them in messages, such as "a decision"
 * @param version of the layout that this release writes and reads
 * @param put writes the fields, and encodes nothing else meanwhile
 * @param take reads them
 */
public record Layout<T>(String what, int version, BiConsumer<ByteWriter, T> put, Function<ByteReader, T> take) {
    /** A buffer that has grown beyond, for a long text, is given back. */
    private static final int BYTES_KEPT = 64 * 1024;

    /** What all values of a thread are written to first, one at a time: so only their bytes are made anew. */
    private static final ThreadLocal<ByteWriter> BUFFER = ThreadLocal.withInitial(ByteWriter::new);

    public byte[] encode(T value) {
        ByteWriter to = BUFFER.get().clear().putByte(version);
        put.accept(to, value);
        if (to.capacity() > BYTES_KEPT) {
            BUFFER.remove();
        }
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
