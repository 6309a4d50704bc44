package io.neardup.service.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.streams.topology.OutputRecords;
import io.neardup.testing.Outputs;
import io.neardup.testing.OwnThread;
import io.neardup.testing.Records;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.awaitility.Awaitility;

/** What leaves in a run, of whichever service, and when it was seen. */
final class CutoverOutputs implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(20);

    private final Collection<Left> left = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> reading;
    private volatile boolean isClosed;

    /**
     * A record of an output.
     *
     * @param number of the record of the input
     * @param original that a duplicate names
     * @param isBounded whether a bound has left out candidates
     * @param atNanos when it was seen, by {@link System#nanoTime}
     */
    record Left(
            int number, TopicPartition to, long offset, Optional<String> original, boolean isBounded, long atNanos) {
        boolean isUnique() {
            return to.topic().equals(Outputs.UNIQUE);
        }
    }

    CutoverOutputs(String servers) {
        reading = CompletableFuture.runAsync(() -> read(servers), OwnThread.named("outputs"));
    }

    private void read(String servers) {
        try (KafkaConsumer<byte[], byte[]> consumer = Records.committed(servers)) {
            consumer.assign(Outputs.ALL.stream()
                    .flatMap(topic -> consumer.partitionsFor(topic).stream())
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList());
            while (!isClosed) {
                consumer.poll(POLL).forEach(record -> left.add(left(record)));
            }
        }
    }

    private static Left left(ConsumerRecord<byte[], byte[]> record) {
        return new Left(
                Integer.parseInt(header(record, CutoverFeed.NUMBER).orElseThrow()),
                new TopicPartition(record.topic(), record.partition()),
                record.offset(),
                header(record, OutputRecords.DUPLICATE_OF),
                header(record, OutputRecords.BOUNDED).isPresent(),
                System.nanoTime());
    }

    private static Optional<String> header(ConsumerRecord<byte[], byte[]> record, String name) {
        return Optional.ofNullable(record.headers().lastHeader(name))
                .map(Header::value)
                .map(value -> new String(value, UTF_8));
    }

    void await(int count, Duration patience) {
        Awaitility.await("records that have left").atMost(patience).until(() -> count() >= count);
    }

    private int count() {
        if (reading.isCompletedExceptionally()) {
            reading.join();
        }
        return left.size();
    }

    /** In the order in which they were seen. */
    List<Left> left() {
        return List.copyOf(left);
    }

    @Override
    public void close() {
        isClosed = true;
        reading.join();
    }
}
