package io.neardup.streams;

import io.neardup.cutover.Cutover;
import io.neardup.protocol.Handover;
import io.neardup.wire.MessageBatch;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * What the homes of an instance know of a cutover.
 *
 * @param committed by the group, when the request was read: where an input begins of which no record was ever taken
 */
public record CutoverOrders(Cutover cutover, Map<TopicPartition, Long> committed) {
    /** Nothing is asked. */
    public static final CutoverOrders NONE = new CutoverOrders(Cutover.NONE, Map.of());

    public CutoverOrders {
        committed = Map.copyOf(committed);
    }

    /**
     * A message of nothing, at which a home looks at its orders.
     *
     * @param replies the topic that homes read
     */
    public static ProducerRecord<byte[], byte[]> look(String replies, int home) {
        return new ProducerRecord<>(replies, home, null, new MessageBatch().take());
    }

    /** As the service begins: where the group was set to, else with the first record that is there. */
    long beginning(TopicPartition input) {
        return committed.getOrDefault(input, Handover.BEGINNING);
    }
}
