package io.neardup.streams.store;

import java.util.function.BiConsumer;

/**
 * What goes to one receiver as one record's value: the version of its layout, then one after the other as they come.
 * Used again for batch after batch.
 */
public final class Batch<T> {
    /**
     * A batch that is as long should go; the last one in it may make it longer by its own length. A little below the
     * 128 KB that a buffer has after it was doubled seven times: the next one is soon given back.
     */
    private static final int BYTES_FULL = 120 * 1024;

    private static final int VERSION_BYTES = 1;

    private final int version;
    private final BiConsumer<ByteWriter, T> put;
    private ByteWriter bytes;

    Batch(int version, BiConsumer<ByteWriter, T> put) {
        this.version = version;
        this.put = put;
        this.bytes = empty();
    }

    private ByteWriter empty() {
        return new ByteWriter().putByte(version);
    }

    public void add(T one) {
        put.accept(bytes, one);
    }

    /** How long the value of the record would be; not 0, as an empty batch has a version. */
    public int bytes() {
        return bytes.size();
    }

    public boolean isEmpty() {
        return bytes.size() <= VERSION_BYTES;
    }

    public boolean isFull() {
        return bytes.size() >= BYTES_FULL;
    }

    /** The value of a record with all of it; the batch is empty then. */
    public byte[] take() {
        return take(Integer.MAX_VALUE);
    }

    /**
     * As {@link #take()}.
     *
     * @param bytesKept a buffer that has grown beyond is given back
     */
    public byte[] take(int bytesKept) {
        byte[] value = bytes.toBytes();
        bytes = bytes.capacity() > bytesKept ? empty() : bytes.clear().putByte(version);
        return value;
    }
}
