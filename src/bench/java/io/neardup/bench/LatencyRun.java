package io.neardup.bench;

import io.neardup.bench.Bench.Input;
import io.neardup.bench.BenchReports.Latency;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Sends documents at shares of the measured rate and takes the time until they are read.
 *
 * <p>The sender keeps to its plan whatever comes back (an open loop), and time counts from the planned moment. So a
 * stop of the service is seen in every document that it delays. Sender and reader take processor time of the same
 * machine: so of the outputs one partition is read, which stands for all.
 */
final class LatencyRun {
    private static final double[] LOADS = {0.1, 0.5, 0.9};
    /** The partition of each output that is read. */
    private static final int PARTITION = 0;

    private final Bench bench;
    private final Bench.Options options;
    private final WorkerProcess service;
    private long next;

    LatencyRun(Bench bench, WorkerProcess service) {
        this.bench = bench;
        this.options = bench.options();
        this.service = service;
        this.next = options.documents();
    }

    /** @param rate documents per second that the loads are shares of */
    List<Latency> run(double rate) throws InterruptedException {
        List<Latency> latencies = new ArrayList<>();
        if (options.latencySeconds() == 0) {
            return latencies;
        }
        Input input = bench.load("paced", options.partitions(), 0, 0);
        Trial trial = new Trial(bench, service, "latency", input, Map.of());
        trial.start();
        for (double load : LOADS) {
            bench.progress().phase(String.format(Locale.ROOT, "latency at %.0f %% of the rate", 100 * load));
            latencies.add(measure(trial, input, load, load * rate));
        }
        trial.stop();
        trial.delete();
        return latencies;
    }

    private Latency measure(Trial trial, Input input, double load, double rate) throws InterruptedException {
        int count = Math.min((int) (rate * options.latencySeconds()), documentsInMemoryMax());
        List<GeneratedDocument> documents = bench.documents().many(next, next + count);
        next += count;
        int read = (int) documents.stream().filter(this::isRead).count();
        try (LatencyReader reader = reader(trial);
                PacedSender sender = new PacedSender(bench.cluster().servers(), input, documents, rate)) {
            reader.read(read, sender);
            Histogram millis = reader.millis();
            if (millis.getTotalCount() == reader.missing(read)) {
                throw new BenchException("none of " + read + " documents came out in time; see the log of the service");
            }
            return new Latency(
                    load,
                    rate,
                    millis.getTotalCount(),
                    reader.missing(read),
                    millis.getValueAtPercentile(50),
                    millis.getValueAtPercentile(99));
        }
    }

    private boolean isRead(GeneratedDocument document) {
        return document.number() % options.partitions() == PARTITION;
    }

    private LatencyReader reader(Trial trial) {
        List<TopicPartition> outputs = trial.outputs().stream()
                .filter(output -> output.partition() == PARTITION)
                .toList();
        return new LatencyReader(bench.cluster(), outputs, bench.cluster().committedEnds(outputs));
    }

    /** They are made before the clock runs. */
    private int documentsInMemoryMax() {
        return (int) Math.max(
                1_000,
                Runtime.getRuntime().maxMemory() / 4 / (2L * bench.documents().bytes()));
    }

    /** Reads what is committed to the outputs, and notes how long after its timestamp each record came. */
    private static final class LatencyReader implements AutoCloseable {
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
                    CommittedOutput.settings(cluster.servers()),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer());
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
}
