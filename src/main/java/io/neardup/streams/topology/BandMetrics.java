package io.neardup.streams.topology;

import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.store.BandStore;
import io.neardup.streams.topology.TaskMetrics.Level;
import io.neardup.streams.topology.TaskMetrics.Total;
import org.apache.kafka.streams.StreamsMetrics;

/** What an index partition counts. Nothing of it is seen before {@link #handOver}, at a commit. */
final class BandMetrics {
    private final TaskMetrics metrics;
    private final Total bucketsFullTotal;
    private final Total candidatesDroppedTotal;
    private final Level indexed;
    private final Level indexBytes;

    BandMetrics(StreamsMetrics streamsMetrics, String task, int partition, ServiceCounts counts) {
        metrics = new TaskMetrics(streamsMetrics, task);
        bucketsFullTotal = metrics.total(
                "buckets-full-total",
                "Insertions that a full bucket refused",
                counts.total(ServiceMetric.BUCKETS_FULL));
        candidatesDroppedTotal = metrics.total(
                "candidates-dropped-total",
                "Candidates left out because a document had too many",
                counts.total(ServiceMetric.CANDIDATES_DROPPED, "band"));
        String place = String.valueOf(partition);
        indexed = metrics.gauge(
                "indexed", "Documents in the buckets", counts.gauge(ServiceMetric.INDEX_DOCUMENTS, place));
        indexBytes = metrics.gauge(
                "index-bytes", "Heap that the buckets take", counts.gauge(ServiceMetric.INDEX_BYTES, place));
    }

    void handOver(BandStore store) {
        bucketsFullTotal.handOver(store.bucketsFull());
        candidatesDroppedTotal.handOver(store.candidatesDropped());
        indexed.set(store.documents());
        indexBytes.set(store.bytes());
    }

    void close() {
        metrics.close();
    }
}
