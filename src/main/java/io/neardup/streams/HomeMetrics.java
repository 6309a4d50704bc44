package io.neardup.streams;

import io.neardup.protocol.DocumentHome;
import io.neardup.streams.TaskMetrics.Total;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.StreamsMetrics;

/** What a home counts. */
final class HomeMetrics {
    private final TaskMetrics metrics;
    private final Total uniqueTotal;
    private final Total duplicatesTotal;
    private final Total deadLettersTotal;
    private final Total candidatesDroppedTotal;
    private final Total forgottenTotal;
    private final Sensor held;
    private long unique;
    private long duplicates;
    private long deadLetters;

    HomeMetrics(StreamsMetrics streamsMetrics, String task) {
        metrics = new TaskMetrics(streamsMetrics, task);
        uniqueTotal = metrics.total("unique-total", "Records sent to the unique output");
        duplicatesTotal = metrics.total("duplicates-total", "Documents sent to the duplicates output");
        deadLettersTotal = metrics.total("dead-letters-total", "Records sent to the dead-letter output");
        candidatesDroppedTotal =
                metrics.total("candidates-dropped-total", "Candidates left out because a document had too many");
        forgottenTotal = metrics.total("forgotten-total", "Originals that expired or were taken back");
        held = metrics.gauge("held", "Documents in flight");
    }

    void unique() {
        unique++;
    }

    void duplicate() {
        duplicates++;
    }

    void deadLetter() {
        deadLetters++;
    }

    void handOver(DocumentHome<?> home) {
        uniqueTotal.handOver(unique);
        duplicatesTotal.handOver(duplicates);
        deadLettersTotal.handOver(deadLetters);
        candidatesDroppedTotal.handOver(home.candidatesDropped());
        forgottenTotal.handOver(home.forgotten());
        held.record(home.held());
    }

    void close() {
        metrics.close();
    }
}
