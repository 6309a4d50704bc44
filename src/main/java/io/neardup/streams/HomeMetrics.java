package io.neardup.streams;

import io.neardup.document.Reason;
import io.neardup.family.ShingleTotals;
import io.neardup.protocol.DocumentHome;
import io.neardup.streams.TaskMetrics.Total;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.StreamsMetrics;

/** What a home counts. */
final class HomeMetrics {
    private final TaskMetrics metrics;
    private final Total uniqueTotal;
    private final Total duplicatesTotal;
    private final Total deadLettersTotal;
    private final Map<Reason, Total> byReasonTotal = new EnumMap<>(Reason.class);
    private final Map<Reason, Long> byReason = new EnumMap<>(Reason.class);
    private final Total inputPausedTotal;
    private final Total candidatesDroppedTotal;
    private final Total forgottenTotal;
    private final Total withdrawnTotal;
    private final Total shinglesTotal;
    private final Total shinglesLeftOutTotal;
    private final Sensor held;
    private long unique;
    private long duplicates;
    private long deadLetters;
    private long withdrawn;

    HomeMetrics(StreamsMetrics streamsMetrics, String task) {
        metrics = new TaskMetrics(streamsMetrics, task);
        uniqueTotal = metrics.total("unique-total", "Records sent to the unique output");
        duplicatesTotal = metrics.total("duplicates-total", "Documents sent to the duplicates output");
        deadLettersTotal = metrics.total("dead-letters-total", "Records sent to the dead-letter output");
        for (Reason reason : Reason.values()) {
            byReasonTotal.put(
                    reason,
                    metrics.total(
                            "dead-letters-by-reason-total",
                            "Records sent to the dead-letter output for one reason",
                            Map.of("reason", reason.code())));
        }
        inputPausedTotal = metrics.total("input-paused-total", "Pauses of the input because too much was in flight");
        candidatesDroppedTotal =
                metrics.total("candidates-dropped-total", "Candidates left out because a document had too many");
        forgottenTotal =
                metrics.total("forgotten-total", "Originals that expired, were taken back, replaced or withdrawn");
        withdrawnTotal = metrics.total("withdrawn-total", "Unique documents that left as dead letters in the end");
        shinglesTotal = metrics.total("shingles-total", "Shingles of documents, repeats included");
        shinglesLeftOutTotal =
                metrics.total("shingles-left-out-total", "Shingles of documents that do not count, as they are common");
        held = metrics.gauge("held", "Documents in flight");
    }

    void unique() {
        unique++;
    }

    void duplicate() {
        duplicates++;
    }

    void deadLetter(Reason reason) {
        deadLetters++;
        byReason.merge(reason, 1L, Long::sum);
    }

    void withdraw() {
        withdrawn++;
    }

    void handOver(DocumentHome<?> home, ShingleTotals shingles, long inputPauses) {
        uniqueTotal.handOver(unique);
        duplicatesTotal.handOver(duplicates);
        deadLettersTotal.handOver(deadLetters);
        byReason.forEach((reason, count) ->
                Objects.requireNonNull(byReasonTotal.get(reason)).handOver(count));
        inputPausedTotal.handOver(inputPauses);
        candidatesDroppedTotal.handOver(home.candidatesDropped());
        forgottenTotal.handOver(home.forgotten());
        withdrawnTotal.handOver(withdrawn);
        shinglesTotal.handOver(shingles.cut());
        shinglesLeftOutTotal.handOver(shingles.leftOut());
        held.record(home.held());
    }

    void close() {
        metrics.close();
    }
}
