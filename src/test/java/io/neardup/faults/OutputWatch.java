package io.neardup.faults;

import io.neardup.testing.Outputs;
import io.neardup.testing.OwnThread;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads the outputs all the while, as a reader with read_committed, and notes for each input partition how long nothing
 * of it came. All that is in one input partition goes to the output partitions of its number.
 */
final class OutputWatch implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration GAP_MIN = Duration.ofSeconds(1);

    private final Map<Integer, Long> lastSeen = new HashMap<>();
    private final Collection<Gap> gaps = new ConcurrentLinkedQueue<>();
    private final Consumer<ConsumerRecord<byte[], byte[]>> seen;
    private final CompletableFuture<Void> watching;
    private volatile int count;
    private volatile boolean closed;

    /** Nothing of a partition came between two times, in nanoseconds of {@link System#nanoTime}. */
    private record Gap(long fromNanos, long toNanos) {
        Duration length() {
            return Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(toNanos - fromNanos));
        }
    }

    /** @param seen is given each record as it comes, by the thread that reads */
    OutputWatch(String servers, Consumer<ConsumerRecord<byte[], byte[]>> seen) {
        this.seen = seen;
        watching = CompletableFuture.runAsync(() -> watch(servers), OwnThread.named("watch"));
    }

    private void watch(String servers) {
        try (Outputs outputs = new Outputs(servers, this::see)) {
            while (!closed) {
                outputs.drain(POLL);
            }
        }
    }

    // One thread alone counts.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void see(ConsumerRecord<byte[], byte[]> record) {
        long nowNanos = System.nanoTime();
        count++;
        Long last = lastSeen.put(record.partition(), nowNanos);
        if (last != null) {
            Gap gap = new Gap(last, nowNanos);
            if (gap.length().compareTo(GAP_MIN) >= 0) {
                gaps.add(gap);
            }
        }
        seen.accept(record);
    }

    /** How many records have come out; fails if the watch has. */
    int count() {
        if (watching.isCompletedExceptionally()) {
            watching.join();
        }
        return count;
    }

    /** The longest gap that reaches into a stretch of time, 0 if none is longer than a second. */
    Duration longestGap(long fromNanos, long toNanos) {
        return gaps.stream()
                .filter(gap -> gap.toNanos() > fromNanos && gap.fromNanos() < toNanos)
                .map(Gap::length)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    @Override
    public void close() {
        closed = true;
        watching.join();
    }
}
