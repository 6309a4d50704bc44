package io.neardup.bench;

import io.neardup.bench.BenchReports.Latency;
import io.neardup.bench.BenchSession.Input;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.kafka.common.TopicPartition;

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

    private final BenchSession session;
    private final BenchOptions options;
    private final WorkerProcess service;
    private long next;

    LatencyRun(BenchSession session, WorkerProcess service) {
        this.session = session;
        this.options = session.options();
        this.service = service;
        this.next = options.documents();
    }

    /** @param rate documents per second that the loads are shares of */
    List<Latency> run(double rate) throws InterruptedException {
        List<Latency> latencies = new ArrayList<>();
        if (options.latencySeconds() == 0) {
            return latencies;
        }
        Input input = session.load("paced", options.partitions(), 0, 0);
        Trial trial = new Trial(session, service, "latency", input, Map.of());
        trial.start();
        for (double load : LOADS) {
            session.progress().phase(String.format(Locale.ROOT, "latency at %.0f %% of the rate", 100 * load));
            latencies.add(measure(trial, input, load, load * rate));
        }
        trial.stop();
        trial.delete();
        return latencies;
    }

    private Latency measure(Trial trial, Input input, double load, double rate) throws InterruptedException {
        int count = Math.min((int) (rate * options.latencySeconds()), documentsInMemoryMax());
        List<BenchDocument> documents = session.documents().many(next, next + count);
        next += count;
        int read = (int) documents.stream().filter(this::isRead).count();
        try (LatencyReader reader = reader(trial);
                PacedSender sender = new PacedSender(session.cluster().servers(), input, documents, rate)) {
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

    private boolean isRead(BenchDocument document) {
        return document.number() % options.partitions() == PARTITION;
    }

    private LatencyReader reader(Trial trial) {
        List<TopicPartition> outputs = trial.outputs().stream()
                .filter(output -> output.partition() == PARTITION)
                .toList();
        return new LatencyReader(session.cluster(), outputs, session.cluster().committedEnds(outputs));
    }

    /** They are made before the clock runs. */
    private int documentsInMemoryMax() {
        return (int) Math.max(
                1_000,
                Runtime.getRuntime().maxMemory() / 4 / (2L * session.documents().bytes()));
    }
}
