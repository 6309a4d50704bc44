package io.neardup.service.lifecycle;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the active tasks of this instance are restored. Told by Kafka Streams, asked by others. The log has a line
 * when there is something to restore, and one when it is done. Thread-safe.
 */
final class RestoreProgress implements StateRestoreListener {
    private static final Logger LOG = LoggerFactory.getLogger(RestoreProgress.class);

    private final LongSupplier nanoTime;
    private final Map<TopicPartition, Long> left = new HashMap<>();
    private long restored;
    private long beganNanos;

    RestoreProgress(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public synchronized void onRestoreStart(TopicPartition changelog, String store, long start, long end) {
        if (left.isEmpty()) {
            restored = 0;
            beganNanos = nanoTime.getAsLong();
        }
        left.put(changelog, Math.max(0, end - start));
    }

    /** @param count of the batch; markers of transactions, which are among what is left, are not in it */
    @Override
    public synchronized void onBatchRestored(TopicPartition changelog, String store, long batchEnd, long count) {
        if (restored == 0 && count > 0) {
            LOG.info("restoring from changelogs partitions={} records={}", left.size(), recordsLeft());
        }
        restored += count;
        left.computeIfPresent(changelog, (unused, before) -> Math.max(0, before - count));
    }

    @Override
    public synchronized void onRestoreEnd(TopicPartition changelog, String store, long total) {
        boolean wasLast = left.remove(changelog) != null && left.isEmpty();
        if (wasLast && restored > 0) {
            LOG.info("restored records={} seconds={}", restored, seconds());
        }
    }

    @Override
    public synchronized void onRestoreSuspended(TopicPartition changelog, String store, long total) {
        left.remove(changelog);
    }

    synchronized RestoreStatus status() {
        return new RestoreStatus(left.size(), recordsLeft(), left.isEmpty() ? 0 : restored / Math.max(1, seconds()));
    }

    private long recordsLeft() {
        return left.values().stream().mapToLong(Long::longValue).sum();
    }

    private long seconds() {
        return (nanoTime.getAsLong() - beganNanos) / 1_000_000_000;
    }
}
