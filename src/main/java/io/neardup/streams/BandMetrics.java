package io.neardup.streams;

import io.neardup.streams.TaskMetrics.Total;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.StreamsMetrics;

/** What a band partition counts. */
final class BandMetrics {
    private final TaskMetrics metrics;
    private final Total bucketsFullTotal;
    private final Total candidatesDroppedTotal;
    private final Sensor indexed;
    private final Sensor indexBytes;

    BandMetrics(StreamsMetrics streamsMetrics, String task) {
        metrics = new TaskMetrics(streamsMetrics, task);
        bucketsFullTotal = metrics.total("buckets-full-total", "Insertions that a full bucket refused");
        candidatesDroppedTotal =
                metrics.total("candidates-dropped-total", "Candidates left out because a document had too many");
        indexed = metrics.gauge("indexed", "Documents in the buckets");
        indexBytes = metrics.gauge("index-bytes", "Heap that the buckets take");
    }

    void handOver(BandStore store) {
        bucketsFullTotal.handOver(store.bucketsFull());
        candidatesDroppedTotal.handOver(store.candidatesDropped());
        indexed.record((double) store.documents());
        indexBytes.record((double) store.bytes());
    }

    void close() {
        metrics.close();
    }
}
