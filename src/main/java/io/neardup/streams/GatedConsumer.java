package io.neardup.streams;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The main consumer of a stream thread; it does not fetch input partitions whose home has closed the gate. What was fetched
 * before is still processed, so that a home can exceed its bound by what Streams buffers (a few thousand records).
 *
 * <p>Streams pauses and resumes partitions too, by the fill of its buffers. It may find a partition resumed that it had
 * paused, and then pauses it again.
 */
final class GatedConsumer extends KafkaConsumer<byte[], byte[]> {
    private final InputGate gate;
    private final Set<String> inputTopics;
    private final Set<TopicPartition> gated = new HashSet<>();

    GatedConsumer(Map<String, Object> settings, InputGate gate, Collection<String> inputTopics) {
        super(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.gate = gate;
        this.inputTopics = Set.copyOf(inputTopics);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        applyGate();
        return super.poll(timeout);
    }

    @Override
    public void resume(Collection<TopicPartition> partitions) {
        super.resume(partitions.stream().filter(p -> !mustWait(p)).toList());
    }

    private boolean mustWait(TopicPartition partition) {
        return inputTopics.contains(partition.topic()) && gate.isClosed(partition.partition());
    }

    private void applyGate() {
        gated.retainAll(assignment());
        List<TopicPartition> opened =
                gated.stream().filter(partition -> !mustWait(partition)).toList();
        gated.removeAll(opened);
        super.resume(opened);
        List<TopicPartition> closed =
                assignment().stream().filter(this::mustWait).filter(gated::add).toList();
        super.pause(closed);
    }
}
