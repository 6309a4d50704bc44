package io.neardup.tools.audit;

import io.neardup.record.Verdict;
import io.neardup.record.VerdictCodec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Reads one partition, one record after the other, up to an end. Not thread-safe. */
public final class PartitionReading implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration STALLED = Duration.ofSeconds(60);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final TopicPartition partition;
    private final long end;
    private final Queue<ConsumerRecord<byte[], byte[]>> polled = new ArrayDeque<>();

    /**
     * @param consumer for this reading alone; closed with it
     * @param from the first offset that is read
     * @param end the offset before which it ends
     */
    public PartitionReading(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, long from, long end) {
        this.consumer = consumer;
        this.partition = partition;
        this.end = end;
        consumer.assign(List.of(partition));
        consumer.seek(partition, from);
    }

    /**
     * The next record; null at the end.
     *
     * @throws IOException if records were deleted meanwhile, or the brokers give none
     */
    public @Nullable ConsumerRecord<byte[], byte[]> next() throws IOException {
        long movedNanos = System.nanoTime();
        while (polled.isEmpty() && consumer.position(partition) < end) {
            long before = consumer.position(partition);
            poll();
            movedNanos = consumer.position(partition) > before ? System.nanoTime() : movedNanos;
            if (System.nanoTime() - movedNanos > STALLED.toNanos()) {
                throw new IOException("partition " + partition + ": expected to read on, found nothing for "
                        + STALLED.toSeconds() + " s; check that the brokers are well");
            }
        }
        return polled.poll();
    }

    /**
     * The next record as a verdict; null at the end.
     *
     * @throws IOException if it is none, or as {@link #next}
     */
    public @Nullable Verdict nextVerdict() throws IOException {
        ConsumerRecord<byte[], byte[]> record = next();
        if (record == null) {
            return null;
        }
        try {
            byte[] value = record.value();
            return VerdictCodec.decode(value == null ? new byte[0] : value);
        } catch (IOException e) {
            throw new IOException(partition + " offset " + record.offset() + ": " + e.getMessage(), e);
        }
    }

    private void poll() throws IOException {
        try {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (record.offset() < end) {
                    polled.add(record);
                }
            }
        } catch (InvalidOffsetException e) {
            throw new IOException(
                    "partition " + partition + ": expected the records that were there at first, found them deleted"
                            + " meanwhile, as by retention; try again",
                    e);
        }
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
}
