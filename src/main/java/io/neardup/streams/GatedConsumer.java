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
 * The main consumer of a stream thread, which heeds the {@link InputGate}: it goes on where a home that has started says,
 * whatever offset the group has committed, and does not fetch input partitions to which the gate is closed. What was fetched
 * before is still processed, so that the bound can be exceeded by what Streams buffers (a few thousand records).
 *
 * <p>Streams pauses and resumes partitions too, by the fill of its buffers and while a task is not ready. A partition is
 * fetched if neither wants it paused.
 */
final class GatedConsumer extends KafkaConsumer<byte[], byte[]> {
    private final InputGate gate;
    private final Set<String> inputTopics;
    private final Set<TopicPartition> gated = new HashSet<>();

    /** What Streams wants paused, whatever the gate says. */
    private final Set<TopicPartition> pausedByStreams = new HashSet<>();

    GatedConsumer(Map<String, Object> settings, InputGate gate, Collection<String> inputTopics) {
        super(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.gate = gate;
        this.inputTopics = Set.copyOf(inputTopics);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        applyStarts();
        applyGate();
        return super.poll(timeout);
    }

    @Override
    public void pause(Collection<TopicPartition> partitions) {
        pausedByStreams.addAll(partitions);
        super.pause(partitions);
    }

    @Override
    public void resume(Collection<TopicPartition> partitions) {
        pausedByStreams.removeAll(partitions);
        super.resume(partitions.stream().filter(p -> !gated.contains(p)).toList());
    }

    private void applyStarts() {
        for (TopicPartition partition : assignment()) {
            gate.takeStart(partition).ifPresent(offset -> seek(partition, offset));
        }
    }

    private boolean mustWait(TopicPartition partition) {
        return inputTopics.contains(partition.topic()) && gate.isClosed(partition.partition());
    }

    private void applyGate() {
        Set<TopicPartition> assigned = assignment();
        gated.retainAll(assigned);
        pausedByStreams.retainAll(assigned);
        List<TopicPartition> opened =
                gated.stream().filter(partition -> !mustWait(partition)).toList();
        opened.forEach(gated::remove);
        super.resume(opened.stream().filter(p -> !pausedByStreams.contains(p)).toList());
        super.pause(assigned.stream().filter(this::mustWait).filter(gated::add).toList());
    }
}
