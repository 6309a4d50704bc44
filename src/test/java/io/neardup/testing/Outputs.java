package io.neardup.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** What came out on outputs, as a reader with read_committed sees it: of records, if nothing else is said. */
public final class Outputs implements AutoCloseable {
    public static final String UNIQUE = "unique";
    public static final String DUPLICATE_OF = "duplicate-of";
    public static final String DEAD_LETTER = "dead-letter";

    public static final List<String> ALL = List.of(UNIQUE, DUPLICATE_OF, DEAD_LETTER);

    /** What a run on a broker needs: the input topic, and all outputs. */
    public static final List<String> WITH_INPUT =
            Stream.concat(Stream.of("documents"), ALL.stream()).toList();

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<String> topics;
    private final Map<String, List<ConsumerRecord<byte[], byte[]>>> records = new HashMap<>();
    private final Consumer<ConsumerRecord<byte[], byte[]>> reader;
    private int size;

    public Outputs(String servers) {
        consumer = Records.committed(servers);
        topics = ALL;
        reader = this::keep;
    }

    /**
     * Those of many documents: none is kept, so {@link #of} finds nothing.
     *
     * @param reader is given each record as it is read
     */
    public Outputs(String servers, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
        this(servers, ALL, reader);
    }

    /** The same of any topics. */
    public Outputs(String servers, List<String> topics, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
        consumer = Records.committed(servers);
        this.topics = topics;
        this.reader = reader;
    }

    private void keep(ConsumerRecord<byte[], byte[]> record) {
        records.computeIfAbsent(record.topic(), t -> new ArrayList<>()).add(record);
    }

    /**
     * When the topics are there. Not as a member of a group, which goes back to the start when its coordinator was
     * away.
     */
    private void assign() {
        consumer.assign(topics.stream()
                .flatMap(topic -> consumer.partitionsFor(topic).stream())
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList());
    }

    private void poll(Duration timeout) {
        if (consumer.assignment().isEmpty()) {
            assign();
        }
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(timeout)) {
            size++;
            reader.accept(record);
        }
    }

    private void pollUntil(BooleanSupplier isReached, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!isReached.getAsBoolean() && System.nanoTime() < deadline) {
            poll(Duration.ofMillis(100));
        }
    }

    /** Reads until so many records have come out in all, and fails if the time passes first. */
    public void await(int count, Duration timeout) {
        pollUntil(() -> size >= count, timeout);
        assertThat(size).as("records within %s", timeout).isGreaterThanOrEqualTo(count);
    }

    /**
     * Reads all that has been written by now, as soon as the transactions in it have ended. Of instances that are
     * stopped that is all there will ever be.
     */
    public void readToEnd(Admin admin, Duration timeout) throws ExecutionException, InterruptedException {
        poll(Duration.ZERO);
        Map<TopicPartition, ListOffsetsResultInfo> ends = admin.listOffsets(consumer.assignment().stream()
                        .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest())))
                .all()
                .get();
        BooleanSupplier isRead = () -> ends.entrySet().stream()
                .allMatch(
                        end -> consumer.position(end.getKey()) >= end.getValue().offset());
        pollUntil(isRead, timeout);
        assertThat(isRead.getAsBoolean()).as("all outputs are read").isTrue();
    }

    /** Reads for a while more; what came twice would show now. */
    public void drain(Duration time) {
        pollUntil(() -> false, time);
    }

    /** Forgets what has come out so far. */
    public void forget() {
        records.clear();
        size = 0;
    }

    public int size() {
        return size;
    }

    public List<ConsumerRecord<byte[], byte[]>> of(String topic) {
        return records.getOrDefault(topic, List.of());
    }

    /** A header's text; it must be there. */
    public static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(
                Objects.requireNonNull(record.headers().lastHeader(name), () -> "header " + name)
                        .value(),
                UTF_8);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
