package io.neardup.streams;

import io.neardup.streams.HomeMetrics.Counter;
import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.Value;
import org.apache.kafka.streams.StreamsMetrics;

/**
 * What a band partition counts, as metrics of the group {@code neardup}: {@code buckets-full-total} (insertions that a full
 * bucket refused), {@code candidates-dropped-total}, {@code indexed} (documents) and {@code index-bytes}.
 */
final class BandMetrics {
    private final StreamsMetrics metrics;
    private final Counter bucketsFull;
    private final Counter candidatesDropped;
    private final Sensor documents;
    private final Sensor bytes;

    BandMetrics(StreamsMetrics metrics, String task) {
        this.metrics = metrics;
        bucketsFull = new Counter(metrics, task, "buckets-full-total", "Insertions that a full bucket refused");
        candidatesDropped = new Counter(
                metrics, task, "candidates-dropped-total", "Candidates left out because a document had too many");
        documents = gauge(task, "indexed", "Documents in the buckets");
        bytes = gauge(task, "index-bytes", "Heap that the buckets take");
    }

    private Sensor gauge(String task, String name, String description) {
        Sensor sensor = metrics.addSensor("neardup-" + name + "-" + task, Sensor.RecordingLevel.INFO);
        sensor.add(new MetricName(name, "neardup", description, Map.of("task-id", task)), new Value());
        return sensor;
    }

    void handOver(BandStore store) {
        bucketsFull.handOver(store.bucketsFull());
        candidatesDropped.handOver(store.candidatesDropped());
        documents.record((double) store.documents());
        bytes.record((double) store.bytes());
    }

    void close() {
        metrics.removeSensor(bucketsFull.sensor());
        metrics.removeSensor(candidatesDropped.sensor());
        metrics.removeSensor(documents);
        metrics.removeSensor(bytes);
    }
}
