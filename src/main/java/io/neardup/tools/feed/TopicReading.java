package io.neardup.tools.feed;

import io.neardup.record.InputRecord;
import io.neardup.streams.topology.OutputRecords;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads partitions from given offsets to given ends. Where records are deleted meanwhile it goes on with the first that
 * is there; {@link #takeCut} says where. It fails where brokers give none for {@value #STALLED_SECONDS} s. The consumer
 * is the caller's, and may read again. Not thread-safe.
 */
public final class TopicReading {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int STALLED_SECONDS = 60;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Long> ends;
    private final Queue<InputRecord> polled = new ArrayDeque<>();
    private final Map<TopicPartition, Long> cut = new HashMap<>();
    private final long total;
    private long missing;
    /** For how long brokers were asked in vain. */
    private long waitedNanos;

    public interface Action {
        void accept(InputRecord record) throws IOException;
    }

    /** @param ends the offset before which each ends */
    public TopicReading(
            KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> starts, Map<TopicPartition, Long> ends) {
        this.consumer = consumer;
        this.ends = ends;
        consumer.assign(ends.keySet());
        // What an earlier reading has paused still is.
        consumer.resume(ends.keySet());
        ends.keySet().forEach(partition -> consumer.seek(partition, offset(starts, partition)));
        this.total = offsetsLeft();
        this.missing = total;
    }

    public static long offset(Map<TopicPartition, Long> offsets, TopicPartition partition) {
        return Objects.requireNonNull(offsets.get(partition), partition.toString());
    }

    public Set<TopicPartition> unfinished() {
        return ends.keySet().stream()
                .filter(partition -> consumer.position(partition) < offset(ends, partition))
                .collect(Collectors.toSet());
    }

    /** Lets these be read on, of those that are unfinished, and no others. */
    public void goOnWith(Set<TopicPartition> partitions) {
        Set<TopicPartition> rest = new HashSet<>(ends.keySet());
        rest.removeAll(partitions);
        consumer.pause(rest);
        consumer.resume(partitions);
    }

    /** Records that came next; none where nothing has come for a moment. */
    public List<InputRecord> poll() throws IOException {
        long begunNanos = System.nanoTime();
        List<InputRecord> records = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : pollOnce()) {
            if (record.offset() < offset(ends, new TopicPartition(record.topic(), record.partition()))) {
                records.add(OutputRecords.copy(record));
            }
        }
        long left = offsetsLeft();
        waitedNanos = left < missing ? 0 : waitedNanos + System.nanoTime() - begunNanos;
        missing = left;
        Set<TopicPartition> unfinished = unfinished();
        if (waitedNanos > TimeUnit.SECONDS.toNanos(STALLED_SECONDS)) {
            throw new IOException("partitions " + unfinished + ": expected to read on, found nothing for "
                    + STALLED_SECONDS + " s; check that the brokers are well");
        }
        Set<TopicPartition> finished = new HashSet<>(ends.keySet());
        finished.removeAll(unfinished);
        consumer.pause(finished);
        return records;
    }

    private ConsumerRecords<byte[], byte[]> pollOnce() throws IOException {
        try {
            return consumer.poll(POLL);
        } catch (OffsetOutOfRangeException e) { // Only where nothing else was fetched: no record is lost by it.
            Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(e.partitions());
            for (TopicPartition partition : e.partitions()) {
                long beginning = offset(beginnings, partition);
                if (beginning <= consumer.position(partition)) {
                    throw new IOException(
                            "partition " + partition + ": expected to read on at offset " + consumer.position(partition)
                                    + ", found that it ends before; try again",
                            e);
                }
                consumer.seek(partition, beginning);
                cut.put(partition, beginning);
            }
            return ConsumerRecords.empty();
        }
    }

    /** Where it went on in partitions whose records were deleted before they were read, since this was last asked. */
    public Map<TopicPartition, Long> takeCut() {
        Map<TopicPartition, Long> taken = Map.copyOf(cut);
        cut.clear();
        return taken;
    }

    private long offsetsLeft() {
        return ends.keySet().stream()
                .mapToLong(partition -> Math.max(0, offset(ends, partition) - consumer.position(partition)))
                .sum();
    }

    public void readAll(Action action, Consumer<String> progress) throws IOException {
        while (missing > 0) {
            for (InputRecord record : poll()) {
                action.accept(record);
            }
            progress.accept(progress());
        }
    }

    /** The next record, where they are asked for one by one; null at the end. */
    public @Nullable InputRecord next() throws IOException {
        while (polled.isEmpty() && missing > 0) {
            polled.addAll(poll());
        }
        return polled.poll();
    }

    public String progress() {
        return String.format(Locale.ROOT, "%,d of %,d offsets read", total - missing, total);
    }
}
