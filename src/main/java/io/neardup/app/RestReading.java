package io.neardup.app;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Whether anything is to be read behind positions of a group. Offsets are also taken by the ends of transactions, by
 * what was aborted and by what was compacted, and nobody commits a position behind these who has read nothing there.
 */
final class RestReading {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();

    private final Map<String, Object> clients;

    /** @param clients what a client needs to reach the cluster */
    RestReading(Map<String, Object> clients) {
        this.clients = clients;
    }

    /** Offsets of a partition, the last not among them. */
    record Rest(long from, long to) {}

    /** True also where that is not known within some seconds. */
    boolean hasRecords(Map<TopicPartition, Rest> rest) {
        Map<String, Object> settings = StreamsSettings.brief(clients);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(rest.keySet());
            rest.forEach((partition, offsets) -> consumer.seek(partition, offsets.from()));
            long deadlineNanos = System.nanoTime() + PATIENCE_NANOS;
            while (!isBehind(consumer, rest)) {
                if (!consumer.poll(POLL).isEmpty() || System.nanoTime() - deadlineNanos > 0) {
                    return true;
                }
            }
            return false;
        }
    }

    private static boolean isBehind(KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Rest> rest) {
        return rest.entrySet().stream()
                .allMatch(entry ->
                        consumer.position(entry.getKey()) >= entry.getValue().to());
    }
}
