package io.neardup.tools.audit;

import io.neardup.record.InputRecord;
import io.neardup.streams.topology.OutputRecords;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads partitions up to their ends, inputs and outputs side by side: a partition of which much is kept waits until the
 * others have come as far.
 */
final class PacedReading {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int STALLED_SECONDS = 60;
    private static final int TOLD_SECONDS = 5;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Long> ends;
    private final Consumer<String> progress;
    private final long total;

    /** Who keeps records until what belongs to them is read. */
    interface Keeper {
        /** How many records of the partition are kept. */
        int kept(TopicPartition partition);

        /** Whether reading on can still tell something. */
        boolean needsMore(Set<TopicPartition> unfinished);

        /** All partitions wait for each other: the oldest are to be given up. */
        void giveUp(Set<TopicPartition> unfinished, int keptMax);
    }

    /** Of a reading in which none waits for another. */
    static final Keeper KEEPS_NOTHING = new Keeper() {
        @Override
        public int kept(TopicPartition partition) {
            return 0;
        }

        @Override
        public boolean needsMore(Set<TopicPartition> unfinished) {
            return true;
        }

        @Override
        public void giveUp(Set<TopicPartition> unfinished, int keptMax) {
            throw new IllegalStateException("nothing is kept");
        }
    };

    /**
     * From the beginnings of partitions.
     *
     * @param progress told how far it is
     */
    PacedReading(KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends, Consumer<String> progress) {
        this(consumer, Map.of(), ends, progress);
    }

    /** @param starts where to begin in some of the partitions */
    PacedReading(
            KafkaConsumer<byte[], byte[]> consumer,
            Map<TopicPartition, Long> starts,
            Map<TopicPartition, Long> ends,
            Consumer<String> progress) {
        this.consumer = consumer;
        this.ends = ends;
        this.progress = progress;
        consumer.assign(ends.keySet());
        // Without names it would be all.
        if (!ends.isEmpty()) {
            consumer.seekToBeginning(ends.keySet());
        }
        starts.forEach(consumer::seek);
        this.total = missing();
    }

    /** @param keptMax of each partition, before it waits */
    void read(Keeper keeper, int keptMax, Consumer<InputRecord> action) throws IOException {
        long movedNanos = System.nanoTime();
        long missing = total;
        while (missing > 0) {
            Set<TopicPartition> unfinished = unfinished();
            if (!resume(unfinished, keeper, keptMax)) {
                if (!keeper.needsMore(unfinished)) {
                    return;
                }
                keeper.giveUp(unfinished, keptMax / 2);
                continue;
            }
            for (ConsumerRecord<byte[], byte[]> record : poll(consumer, POLL)) {
                if (record.offset() < end(new TopicPartition(record.topic(), record.partition()))) {
                    action.accept(OutputRecords.copy(record));
                }
            }
            long missingNow = missing();
            long nowNanos = System.nanoTime();
            movedNanos = missingNow < missing ? nowNanos : movedNanos;
            missing = missingNow;
            progress.accept(String.format("%,d of %,d offsets read", total - missing, total)
                    + standstill(nowNanos - movedNanos));
            if (nowNanos - movedNanos > Duration.ofSeconds(STALLED_SECONDS).toNanos()) {
                throw new IOException("partitions " + unfinished() + ": expected to read on, found nothing for "
                        + STALLED_SECONDS + " s; check that the brokers are well");
            }
        }
    }

    /**
     * The next records.
     *
     * @throws IOException if records were deleted that were there before
     */
    static ConsumerRecords<byte[], byte[]> poll(KafkaConsumer<byte[], byte[]> consumer, Duration timeout)
            throws IOException {
        try {
            return consumer.poll(timeout);
        } catch (InvalidOffsetException e) {
            throw new IOException(
                    "partitions " + e.partitions()
                            + ": expected the records that were there at first, found them deleted"
                            + " meanwhile, as by retention; try again",
                    e);
        }
    }

    private static String standstill(long nanos) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos);
        return seconds < TOLD_SECONDS
                ? ""
                : "; nothing has come for " + seconds + " s, waiting for the brokers up to " + STALLED_SECONDS + " s";
    }

    /** Lets those be read of which not too much is kept; false where there are none. */
    private boolean resume(Set<TopicPartition> unfinished, Keeper keeper, int keptMax) {
        Set<TopicPartition> read = unfinished.stream()
                .filter(partition -> keeper.kept(partition) < keptMax)
                .collect(Collectors.toSet());
        Set<TopicPartition> rest = new HashSet<>(ends.keySet());
        rest.removeAll(read);
        consumer.pause(rest);
        consumer.resume(read);
        return !read.isEmpty();
    }

    private Set<TopicPartition> unfinished() {
        return ends.keySet().stream()
                .filter(partition -> consumer.position(partition) < end(partition))
                .collect(Collectors.toSet());
    }

    private long missing() {
        return ends.keySet().stream()
                .mapToLong(partition -> Math.max(0, end(partition) - consumer.position(partition)))
                .sum();
    }

    private long end(TopicPartition partition) {
        return Objects.requireNonNull(ends.get(partition), partition.toString());
    }
}
