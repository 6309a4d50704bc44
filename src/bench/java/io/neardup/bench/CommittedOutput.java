package io.neardup.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Everything that was committed to the output topics of a drain. It tells how many records there were below each end
 * that was seen, and checks that each document came out exactly once.
 *
 * <p>It is read after the drain. Reading meanwhile would take processor time away from what is measured.
 */
final class CommittedOutput {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int EMPTY_POLLS_MAX = 50;

    private final List<TopicPartition> partitions;
    private final long firstDocument;
    /** Rising. */
    private final Map<TopicPartition, List<Long>> offsets = new HashMap<>();

    private final Map<String, Long> countsByTopic = new TreeMap<>();
    private final BitSet seen = new BitSet();
    private long repeated;

    /** @param firstDocument the lowest number among the documents */
    private CommittedOutput(List<TopicPartition> partitions, long firstDocument) {
        this.partitions = partitions;
        this.firstDocument = firstDocument;
    }

    /** Reads the records between these offsets. */
    static CommittedOutput read(
            String servers, List<TopicPartition> partitions, List<Long> starts, List<Long> ends, long firstDocument) {
        CommittedOutput output = new CommittedOutput(partitions, firstDocument);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings(servers), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            for (int i = 0; i < starts.size(); i++) {
                consumer.seek(partitions.get(i), starts.get(i));
            }
            output.readTo(ends, consumer);
        }
        return output;
    }

    static Map<String, Object> settings(String servers) {
        return Map.of(
                "bootstrap.servers",
                servers,
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                false,
                "auto.offset.reset",
                "earliest",
                "max.poll.records",
                5_000);
    }

    private void readTo(List<Long> ends, KafkaConsumer<byte[], byte[]> consumer) {
        int emptyPolls = 0;
        while (!isAt(ends, consumer)) {
            var records = consumer.poll(POLL);
            emptyPolls = records.isEmpty() ? emptyPolls + 1 : 0;
            if (emptyPolls > EMPTY_POLLS_MAX) {
                throw new BenchException("the outputs could not be read to their end");
            }
            records.forEach(this::add);
        }
    }

    private boolean isAt(List<Long> ends, KafkaConsumer<byte[], byte[]> consumer) {
        for (int i = 0; i < ends.size(); i++) {
            if (consumer.position(partitions.get(i)) < ends.get(i)) {
                return false;
            }
        }
        return true;
    }

    private void add(ConsumerRecord<byte[], byte[]> record) {
        offsetsOf(new TopicPartition(record.topic(), record.partition())).add(record.offset());
        countsByTopic.merge(record.topic(), 1L, Long::sum);
        int document = (int) (GeneratedDocument.number(record.key()) - firstDocument);
        repeated += seen.get(document) ? 1 : 0;
        seen.set(document);
    }

    private List<Long> offsetsOf(TopicPartition partition) {
        return offsets.computeIfAbsent(partition, unused -> new ArrayList<>());
    }

    /** How many records lie before these ends, all partitions together. */
    long countBelow(List<Long> ends) {
        long count = 0;
        for (int i = 0; i < ends.size(); i++) {
            int found = Collections.binarySearch(offsetsOf(partitions.get(i)), ends.get(i));
            count += found >= 0 ? found : -found - 1;
        }
        return count;
    }

    long count(String topic) {
        return countsByTopic.getOrDefault(topic, 0L);
    }

    /** How many documents came out, each counted once. */
    long distinct() {
        return seen.cardinality();
    }

    /** How many records came out that repeat a document. */
    long repeated() {
        return repeated;
    }
}
