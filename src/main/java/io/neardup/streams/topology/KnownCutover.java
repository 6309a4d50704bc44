package io.neardup.streams.topology;

import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.MessageCodec;
import io.neardup.streams.store.StoryEvent;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;

/**
 * What the coordinators of an instance know of a cutover.
 *
 * @param committed by the group, when the request was read: where an input begins of which no record was ever taken
 */
public record KnownCutover(Cutover state, Map<TopicPartition, Long> committed) {
    private static final String FLUSH = "neardup.cutover.flush";

    public static final KnownCutover NONE = new KnownCutover(Cutover.NONE, Map.of());

    public KnownCutover {
        committed = Map.copyOf(committed);
    }

    /**
     * An empty batch: it makes a coordinator end a step, and so check for a cutover.
     *
     * @param replies the topic that coordinators read
     */
    public static ProducerRecord<byte[], byte[]> wakeUp(String replies, int coordinator) {
        return new ProducerRecord<>(
                replies, coordinator, null, MessageCodec.batch().take());
    }

    /** As {@link #wakeUp}, behind all that coordinators have sent each other when all were empty. */
    public static ProducerRecord<byte[], byte[]> flush(String replies, int coordinator) {
        return flush(wakeUp(replies, coordinator));
    }

    /** No story events, behind all that coordinators have sent a partition of stories. */
    public static ProducerRecord<byte[], byte[]> fold(String storyEvents, int partition) {
        return flush(new ProducerRecord<>(
                storyEvents, partition, null, StoryEvent.batch().take()));
    }

    private static ProducerRecord<byte[], byte[]> flush(ProducerRecord<byte[], byte[]> message) {
        message.headers().add(FLUSH, new byte[0]);
        return message;
    }

    /** Whether a message is one that {@linkplain #flush flushes}, or {@linkplain #fold folds}. */
    static boolean isFlush(Headers headers) {
        return headers.lastHeader(FLUSH) != null;
    }

    /** As the service begins: where the group was set to, else with the first record that is there. */
    long beginning(TopicPartition input) {
        return committed.getOrDefault(input, Handover.NOTHING_TAKEN);
    }
}
