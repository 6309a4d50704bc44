package io.neardup.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.record.RecordHeader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;

/** Makes topics, and writes and reads them whole. */
public final class Records {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Map<String, String> FOR_EVER = Map.of("retention.ms", "-1");

    private Records() {}

    /**
     * The topic keeps its records for ever, as those of tests are stamped long ago, on as many brokers as is their
     * default.
     */
    public static void createTopic(String servers, String topic, int partitions)
            throws ExecutionException, InterruptedException {
        createTopics(servers, List.of(topic), partitions);
    }

    /** With these settings of a topic. */
    public static void createTopic(String servers, String topic, int partitions, Map<String, String> settings)
            throws ExecutionException, InterruptedException {
        createTopics(servers, List.of(topic), partitions, settings);
    }

    public static void createTopics(String servers, Collection<String> topics, int partitions)
            throws ExecutionException, InterruptedException {
        createTopics(servers, topics, partitions, FOR_EVER);
    }

    private static void createTopics(
            String servers, Collection<String> topics, int partitions, Map<String, String> settings)
            throws ExecutionException, InterruptedException {
        List<NewTopic> created = topics.stream()
                .map(topic -> new NewTopic(topic, Optional.of(partitions), Optional.empty()).configs(settings))
                .toList();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.createTopics(created).all().get();
            awaitLeaders(admin, topics, partitions);
        }
    }

    /** Gives a topic more partitions. */
    public static void grow(String servers, String topic, int partitions)
            throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                    .all()
                    .get();
            awaitLeaders(admin, List.of(topic), partitions);
        }
    }

    /**
     * A producer that writes before the broker leads a partition has its first batch refused, maybe not its second, and
     * then none of the first until it gives up. Who leads a partition knows its offsets.
     */
    private static void awaitLeaders(Admin admin, Collection<String> topics, int partitions) {
        Map<TopicPartition, OffsetSpec> beginnings = new HashMap<>();
        for (String topic : topics) {
            for (int p = 0; p < partitions; p++) {
                beginnings.put(new TopicPartition(topic, p), OffsetSpec.earliest());
            }
        }
        Awaitility.await("leaders of " + topics)
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsInstanceOf(ExecutionException.class)
                .until(() -> admin.listOffsets(beginnings).all().get().size() == beginnings.size());
    }

    /** Writes the values in one transaction. */
    public static void commit(String servers, String topic, List<String> values) {
        write(servers, topic, values, KafkaProducer::commitTransaction);
    }

    /** Writes the values in a transaction that is given up. */
    public static void abort(String servers, String topic, List<String> values) {
        write(servers, topic, values, KafkaProducer::abortTransaction);
    }

    private static void write(String servers, String topic, List<String> values, Consumer<KafkaProducer<?, ?>> end) {
        try (KafkaProducer<byte[], byte[]> producer = bytesTo(servers, Map.of("transactional.id", "writer"))) {
            producer.initTransactions();
            producer.beginTransaction();
            for (String value : values) {
                // The transaction's end reports what failed.
                Future<?> unused = producer.send(new ProducerRecord<>(topic, value.getBytes(UTF_8)));
            }
            producer.flush();
            end.accept(producer);
        }
    }

    /** The values that are committed in a topic, as text, once there are so many. */
    public static List<String> readCommitted(String servers, String topic, int count) {
        return Awaitility.await(count + " records of " + topic)
                .atMost(PATIENCE)
                .until(() -> read(servers, topic), records -> records.size() >= count)
                .stream()
                .map(record -> new String(record.value(), UTF_8))
                .toList();
    }

    /** What is committed in a topic, partition after partition, as it can be written again. */
    public static List<ProducerRecord<byte[], byte[]>> read(String servers, String topic) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = committed(servers)) {
            int partitions = consumer.partitionsFor(topic).size();
            for (int p = 0; p < partitions; p++) {
                read(consumer, new TopicPartition(topic, p)).forEach(record -> records.add(again(record)));
            }
        }
        return records;
    }

    /** What is committed in a partition. */
    public static List<ConsumerRecord<byte[], byte[]>> read(String servers, TopicPartition partition) {
        try (KafkaConsumer<byte[], byte[]> consumer = committed(servers)) {
            return read(consumer, partition);
        }
    }

    private static List<ConsumerRecord<byte[], byte[]>> read(
            KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (consumer.position(partition) < end && System.nanoTime() < deadline) {
            consumer.poll(Duration.ofMillis(200)).forEach(records::add);
        }
        assertThat(consumer.position(partition)).as("end of %s", partition).isGreaterThanOrEqualTo(end);
        return records;
    }

    private static ProducerRecord<byte[], byte[]> again(ConsumerRecord<byte[], byte[]> record) {
        return new ProducerRecord<>(
                record.topic(), record.partition(), record.timestamp(), record.key(), record.value(), record.headers());
    }

    /** The same once no transaction is open there: a cluster completes a commit after it has confirmed it. */
    public static List<ProducerRecord<byte[], byte[]>> readSettled(String servers, String topic) {
        Awaitility.await("no open transaction in " + topic)
                .atMost(PATIENCE)
                .until(() -> OpenTransactions.partitions(servers).stream()
                        .noneMatch(partition -> partition.topic().equals(topic)));
        return read(servers, topic);
    }

    /** A reader of what is committed, from the beginning, as a member of no group. */
    public static KafkaConsumer<byte[], byte[]> committed(String servers) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", servers,
                        "enable.auto.commit", "false",
                        "auto.offset.reset", "earliest",
                        "fetch.max.wait.ms", "50",
                        "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /** A writer of bytes, with these settings beside the servers. */
    public static KafkaProducer<byte[], byte[]> bytesTo(String servers, Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(more);
        settings.put("bootstrap.servers", servers);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    public static RecordHeader header(String name, String value) {
        return new RecordHeader(name, value.getBytes(UTF_8));
    }
}
