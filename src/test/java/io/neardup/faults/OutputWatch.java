package io.neardup.faults;

import io.neardup.testing.Outputs;
import io.neardup.testing.OwnThread;
import io.neardup.testing.Records;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the outputs all the while, as a reader with read_committed, and notes for each input partition how long nothing
 * of it came. All that is in one input partition goes to the output partitions of its number.
 */
final class OutputWatch implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(20);
    private static final long GAP_MIN_MILLIS = 1_000;

    private final Map<Integer, Long> lastSeen = new HashMap<>();
    private final Collection<Gap> gaps = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> watching;
    private volatile int count;
    private volatile boolean closed;

    /** Nothing of a partition came between two times, in nanoseconds of {@link System#nanoTime}. */
    record Gap(int partition, long fromNanos, long toNanos) {
        long millis() {
            return Duration.ofNanos(toNanos - fromNanos).toMillis();
        }
    }

    OutputWatch(String servers, int partitions) {
        watching = CompletableFuture.runAsync(() -> watch(servers, partitions), OwnThread.named("watch"));
    }

    private void watch(String servers, int partitions) {
        try (KafkaConsumer<byte[], byte[]> consumer = Records.committed(servers)) {
            consumer.assign(Outputs.ALL.stream()
                    .flatMap(topic -> IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)))
                    .toList());
            while (!closed) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    see(record.partition(), System.nanoTime());
                }
            }
        }
    }

    // One thread alone counts.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void see(int partition, long nowNanos) {
        count++;
        Long last = lastSeen.put(partition, nowNanos);
        if (last != null) {
            Gap gap = new Gap(partition, last, nowNanos);
            if (gap.millis() >= GAP_MIN_MILLIS) {
                gaps.add(gap);
            }
        }
    }

    /** How many records have come out; fails if the watch has. */
    int count() {
        if (watching.isCompletedExceptionally()) {
            watching.join();
        }
        return count;
    }

    /** The longest gap that ends in a stretch of time, 0 if none is longer than a second. */
    long longestGapMillis(long fromNanos, long toNanos) {
        return gaps.stream()
                .filter(gap -> gap.toNanos() > fromNanos && gap.toNanos() <= toNanos)
                .mapToLong(Gap::millis)
                .max()
                .orElse(0);
    }

    @Override
    public void close() {
        closed = true;
        watching.join();
    }
}
