package io.neardup.streams.store;

import io.neardup.engine.protocol.Message;
import java.util.List;

/** Messages as the value of one record. */
public final class Encoded {
    private Encoded() {}

    public static byte[] batch(List<? extends Message> messages) {
        Batch<Message> batch = MessageCodec.batch();
        messages.forEach(batch::add);
        return batch.take();
    }
}
