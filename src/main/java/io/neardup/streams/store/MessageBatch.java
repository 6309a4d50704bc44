package io.neardup.streams.store;

import io.neardup.engine.protocol.Message;

/**
 * Messages to one receiver, written one behind the other into a record's value as they come ({@link MessageCodec} has
 * the layout). Used again for batch after batch.
 */
public final class MessageBatch {
    /**
     * A batch that is as long should go; the last message may make it longer by its own length. A little below the
     * 128 KB that a buffer has after it was doubled seven times: the next one is soon given back.
     */
    private static final int BYTES_FULL = 120 * 1024;
    /** A buffer that has grown beyond, for whole texts, is given back, if nobody says how much may be kept. */
    private static final int BYTES_KEPT = 16 * 1024;

    private final int version;
    private ByteWriter bytes;

    /** Of messages without epochs, in an index of any layout; epochs of others are not written. */
    public MessageBatch() {
        this(MessageCodec.WITHOUT_EPOCHS);
    }

    /** @param version of the layout of the messages of the index, of those that {@link Layouts#read} has */
    public MessageBatch(int version) {
        this.version = version;
        bytes = empty();
    }

    private ByteWriter empty() {
        return new ByteWriter(1024).putByte(version);
    }

    public void add(Message message) {
        MessageCodec.put(bytes, message, version == MessageCodec.VERSION);
    }

    /** How long the value of the record would be; not 0, as an empty batch has a version. */
    public int bytes() {
        return bytes.size();
    }

    /** Whether it is long enough to go. */
    public boolean isFull() {
        return bytes.size() >= BYTES_FULL;
    }

    /** The value of a record with all messages; the batch is empty then. */
    public byte[] take() {
        return take(BYTES_KEPT);
    }

    /**
     * As {@link #take()}.
     *
     * @param bytesKept a buffer that has grown beyond is given back
     */
    public byte[] take(int bytesKept) {
        byte[] value = bytes.copy();
        bytes = bytes.capacity() > bytesKept ? empty() : bytes.clear().putByte(version);
        return value;
    }
}
