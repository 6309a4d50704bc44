package io.neardup.bench;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads what is committed to the outputs, and notes how long after its timestamp each record came. */
final class LatencyReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(10);
    /** For the last documents to come, and for those that a service at its limit is behind with. */
    private static final long LATE_MILLIS = TimeUnit.SECONDS.toMillis(30);
    /** Of a latency: the histogram is exact to a thousandth. */
    private static final int DIGITS = 3;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Histogram millis = new Histogram(DIGITS);
    private int arrived;

    /** A reader that begins at these ends. */
    LatencyReader(BenchCluster cluster, List<TopicPartition> outputs, List<Long> ends) {
        consumer = new KafkaConsumer<>(
                CommittedOutput.settings(cluster.servers()), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(outputs);
        for (int i = 0; i < ends.size(); i++) {
            consumer.seek(outputs.get(i), ends.get(i));
        }
    }

    /**
     * Returns when that many have come, or when the last of them are very late. Those that are missing count as the
     * latest that could come.
     */
    void read(int count, PacedSender sender) {
        long now = 0;
        while (arrived < count && now < sender.endMillis() + LATE_MILLIS) {
            var records = consumer.poll(POLL);
            now = System.currentTimeMillis();
            for (ConsumerRecord<byte[], byte[]> record : records) {
                // What came late of an earlier load is not of this one.
                if (record.timestamp() >= sender.startMillis()) {
                    arrived++;
                    note(record.timestamp(), now, sender.settledMillis());
                }
            }
            sender.check();
        }
        millis.recordValueWithCount(LATE_MILLIS, missing(count));
    }

    private void note(long dueMillis, long nowMillis, long settledMillis) {
        if (dueMillis >= settledMillis) {
            // A document is sent up to a millisecond early.
            millis.recordValue(Math.max(0, nowMillis - dueMillis));
        }
    }

    /** Of so many documents those that did not come. */
    int missing(int count) {
        return count - arrived;
    }

    /** Latencies in milliseconds, of the documents that were due when the rate had settled. */
    Histogram millis() {
        return millis;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
