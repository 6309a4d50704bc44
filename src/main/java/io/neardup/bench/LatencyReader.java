package io.neardup.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads what is committed to the outputs, and notes how long after its timestamp each record came. */
final class LatencyReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(10);
    /** For the last documents to come, and for those that a service at its limit is behind with. */
    private static final long LATE_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<Arrival> arrivals = new ArrayList<>();
    private int arrived;

    private record Arrival(long dueMillis, double millis) {}

    /** A reader that begins at these ends. */
    LatencyReader(BenchCluster cluster, List<TopicPartition> outputs, List<Long> ends) {
        consumer = new KafkaConsumer<>(
                CommittedOutput.settings(cluster.servers()), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(outputs);
        for (int i = 0; i < ends.size(); i++) {
            consumer.seek(outputs.get(i), ends.get(i));
        }
    }

    /** Returns when that many have come, or when the last of them are very late. */
    void read(int count, PacedSender sender) {
        long now = 0;
        while (arrived < count && now < sender.endMillis() + LATE_MILLIS) {
            var records = consumer.poll(POLL);
            now = System.currentTimeMillis();
            for (ConsumerRecord<byte[], byte[]> record : records) {
                // What came late of an earlier load is not of this one.
                if (record.timestamp() >= sender.startMillis()) {
                    arrived++;
                    arrivals.add(new Arrival(record.timestamp(), (double) (now - record.timestamp())));
                }
            }
            sender.check();
        }
    }

    int arrived() {
        return arrived;
    }

    /**
     * Latencies of the documents that were due from then on; each that is missing counts as the latest that could come.
     */
    List<Double> millisSince(long dueMillis, int missing) {
        return Stream.concat(
                        arrivals.stream()
                                .filter(arrival -> arrival.dueMillis >= dueMillis)
                                .map(Arrival::millis),
                        Collections.nCopies(missing, (double) LATE_MILLIS).stream())
                .toList();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
