package io.neardup.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;

/** Copies of topics with something changed in them. */
public final class TopicCopies {
    private final String servers;
    private final int partitions;

    public TopicCopies(String servers, int partitions) {
        this.servers = servers;
        this.partitions = partitions;
    }

    /** The records of a topic, partition after partition, as they can be written again. */
    public List<ProducerRecord<byte[], byte[]>> read(String topic) {
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = Records.committed(servers)) {
            for (TopicPartition partition : all) {
                consumer.assign(List.of(partition));
                consumer.seekToBeginning(List.of(partition));
                long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
                while (consumer.position(partition) < end) {
                    consumer.poll(Duration.ofMillis(200)).forEach(record -> records.add(again(record)));
                }
            }
        }
        return records;
    }

    /** The same once no transaction is open there: a cluster completes a commit after it has confirmed it. */
    public List<ProducerRecord<byte[], byte[]>> readSettled(String topic) {
        Awaitility.await("no open transaction in " + topic)
                .atMost(Duration.ofMinutes(2))
                .until(() -> OpenTransactions.partitions(servers).stream()
                        .noneMatch(partition -> partition.topic().equals(topic)));
        return read(topic);
    }

    private static ProducerRecord<byte[], byte[]> again(ConsumerRecord<byte[], byte[]> record) {
        return new ProducerRecord<>(
                record.topic(), record.partition(), record.timestamp(), record.key(), record.value(), record.headers());
    }

    /** Makes another topic of what is made of the records of this one. */
    public void copy(String topic, String to, UnaryOperator<List<ProducerRecord<byte[], byte[]>>> change)
            throws ExecutionException, InterruptedException {
        Records.createTopic(servers, to, partitions);
        List<Future<?>> sent = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = Records.bytesTo(servers, Map.of())) {
            change.apply(new ArrayList<>(read(topic)))
                    .forEach(record -> sent.add(producer.send(new ProducerRecord<>(
                            to,
                            record.partition(),
                            record.timestamp(),
                            record.key(),
                            record.value(),
                            record.headers()))));
        }
        for (Future<?> each : sent) {
            each.get();
        }
    }
}
