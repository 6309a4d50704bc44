package io.neardup.tools.audit;

import io.neardup.record.InputRecord;
import io.neardup.streams.topology.OutputRecords;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads partitions from their ends back to a beginning, a stretch of each at a time. */
final class BackwardReading {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int STALLED_SECONDS = 60;
    /** The first stretch is short, as what is asked for is mostly young; each later one is twice as long. */
    private static final long FIRST_STRETCH = 100;

    private static final long STRETCH_MAX = 64_000;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Long> beginnings;
    private final Map<TopicPartition, Long> ends;
    private long stretch = FIRST_STRETCH;

    /** @param ends of the same partitions; read up to these, and from then on moved towards the beginnings */
    BackwardReading(
            KafkaConsumer<byte[], byte[]> consumer,
            Map<TopicPartition, Long> beginnings,
            Map<TopicPartition, Long> ends) {
        this.consumer = consumer;
        this.beginnings = beginnings;
        this.ends = new HashMap<>(ends);
    }

    /**
     * Reads the stretch before those that were read.
     *
     * @param missing told how many offsets are left before the beginnings
     * @return false if there was none
     * @throws IOException if it cannot be read
     */
    boolean readBack(Consumer<InputRecord> action, LongConsumer missing) throws IOException {
        Map<TopicPartition, Long> from = new HashMap<>();
        ends.forEach((partition, end) -> {
            long beginning = Objects.requireNonNull(beginnings.get(partition), partition.toString());
            if (end > beginning) {
                from.put(partition, Math.max(beginning, end - stretch));
            }
        });
        if (from.isEmpty()) {
            return false;
        }
        consumer.assign(from.keySet());
        // What was paused at the end of its last stretch still is.
        consumer.resume(from.keySet());
        from.forEach(consumer::seek);
        read(new HashSet<>(from.keySet()), action);
        ends.putAll(from);
        stretch = Math.min(STRETCH_MAX, 2 * stretch);
        missing.accept(from.keySet().stream()
                .mapToLong(partition -> end(partition) - Objects.requireNonNull(beginnings.get(partition)))
                .sum());
        return true;
    }

    private void read(Set<TopicPartition> unfinished, Consumer<InputRecord> action) throws IOException {
        long movedNanos = System.nanoTime();
        while (!unfinished.isEmpty()) {
            boolean moved = false;
            for (ConsumerRecord<byte[], byte[]> record : PacedReading.poll(consumer, POLL)) {
                if (record.offset() < end(new TopicPartition(record.topic(), record.partition()))) {
                    action.accept(OutputRecords.copy(record));
                    moved = true;
                }
            }
            moved |= unfinished.removeIf(partition -> consumer.position(partition) >= end(partition));
            Set<TopicPartition> finished = new HashSet<>(consumer.assignment());
            finished.removeAll(unfinished);
            consumer.pause(finished);
            movedNanos = moved ? System.nanoTime() : movedNanos;
            if (System.nanoTime() - movedNanos
                    > Duration.ofSeconds(STALLED_SECONDS).toNanos()) {
                throw new IOException("partitions " + unfinished + ": expected to read on, found nothing for "
                        + STALLED_SECONDS + " s; check that the brokers are well");
            }
        }
    }

    private long end(TopicPartition partition) {
        return Objects.requireNonNull(ends.get(partition), partition.toString());
    }
}
