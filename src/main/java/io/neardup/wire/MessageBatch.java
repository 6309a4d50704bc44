package io.neardup.wire;

import io.neardup.protocol.Message;

/**
 * Messages to one receiver, written one behind the other into a record's value as they come ({@link MessageCodec} has the
 * layout). Used again for batch after batch.
 */
public final class MessageBatch {
    /** Longer batches, of whole texts, give their buffer back. */
    private static final int BYTES_KEPT = 32 * 1024;

    private ByteWriter bytes = empty(1024);
    private int messages;

    private static ByteWriter empty(int capacity) {
        return new ByteWriter(capacity).putByte(MessageCodec.VERSION);
    }

    public void add(Message message) {
        MessageCodec.put(bytes, message);
        messages++;
    }

    public int messages() {
        return messages;
    }

    /** The length of the value. */
    public int bytes() {
        return bytes.size();
    }

    /** The value of a record with all messages; the batch is empty then. */
    public byte[] take() {
        byte[] value = bytes.copy();
        bytes = value.length > BYTES_KEPT ? empty(BYTES_KEPT) : bytes.clear().putByte(MessageCodec.VERSION);
        messages = 0;
        return value;
    }
}
