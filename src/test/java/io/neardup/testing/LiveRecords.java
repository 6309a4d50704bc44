package io.neardup.testing;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.Bytes;

/** The records that compaction would leave in topics: the last of each key that is no tombstone. */
public final class LiveRecords {
    private LiveRecords() {}

    /** How many, by topic, of the topics whose names end so; nobody may write to them meanwhile. */
    public static Map<String, Integer> count(String servers, String suffix) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "isolation.level", "read_committed", "fetch.max.wait.ms", "50"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            Map<String, Integer> counts = new TreeMap<>();
            consumer.listTopics().forEach((topic, partitions) -> {
                if (topic.endsWith(suffix)) {
                    partitions.forEach(partition -> counts.merge(
                            topic, live(consumer, new TopicPartition(topic, partition.partition())), Integer::sum));
                }
            });
            return counts;
        }
    }

    private static int live(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition) {
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        Long end = new HashMap<>(consumer.endOffsets(List.of(partition))).get(partition);
        Set<Bytes> keys = new HashSet<>();
        while (end != null && consumer.position(partition) < end) {
            consumer.poll(Duration.ofMillis(200)).forEach(record -> {
                if (record.value() == null) {
                    keys.remove(Bytes.wrap(record.key()));
                } else {
                    keys.add(Bytes.wrap(record.key()));
                }
            });
        }
        return keys.size();
    }
}
