package io.neardup.streams;

import io.neardup.document.Reason;
import io.neardup.family.ShingleTotals;
import io.neardup.protocol.Bound;
import io.neardup.protocol.CandidateCounts;
import io.neardup.protocol.DocumentHome;
import io.neardup.streams.TaskMetrics.Total;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
    private final Map<Bound, Total> boundedTotal = new EnumMap<>(Bound.class);
    private final Map<Bound, Long> bounded = new EnumMap<>(Bound.class);
    private final Total inputPausedTotal;
    private final Total candidatesDroppedTotal;
    private final Total candidatesUnlikeTotal;
    private final Total candidatesVerifiedTotal;
    private final Total forgottenTotal;
    private final Total withdrawnTotal;
    private final Total shinglesTotal;
    private final Total shinglesLeftOutTotal;
    private final Sensor held;
    private final Sensor sketchBytes;
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
        for (Bound bound : Bound.values()) {
            boundedTotal.put(
                    bound,
                    metrics.total(
                            "bounded-total",
                            "Unique documents of which a bound left out candidates",
                            Map.of("reason", OutputRecords.code(bound))));
        }
        inputPausedTotal = metrics.total("input-paused-total", "Pauses of the input because too much was in flight");
        candidatesDroppedTotal =
                metrics.total("candidates-dropped-total", "Candidates left out because a document had too many");
        candidatesUnlikeTotal =
                metrics.total("candidates-unlike-total", "Candidates dropped by their sketches or outlines");
        candidatesVerifiedTotal =
                metrics.total("candidates-verified-total", "Candidates compared with a document by all of their text");
        forgottenTotal =
                metrics.total("forgotten-total", "Originals that expired, were taken back, replaced or withdrawn");
        withdrawnTotal = metrics.total("withdrawn-total", "Unique documents that left as dead letters in the end");
        shinglesTotal = metrics.total("shingles-total", "Shingles of documents, repeats included");
        shinglesLeftOutTotal =
                metrics.total("shingles-left-out-total", "Shingles of documents that do not count, as they are common");
        held = metrics.gauge("held", "Documents in flight");
        sketchBytes = metrics.gauge("sketch-bytes", "Heap that sketches of originals and outlines take");
    }

    void unique(Set<Bound> bounds) {
        unique++;
        bounds.forEach(bound -> bounded.merge(bound, 1L, Long::sum));
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
        bounded.forEach((bound, count) ->
                Objects.requireNonNull(boundedTotal.get(bound)).handOver(count));
        CandidateCounts candidates = home.candidates();
        candidatesDroppedTotal.handOver(candidates.dropped());
        candidatesUnlikeTotal.handOver(candidates.unlike());
        candidatesVerifiedTotal.handOver(candidates.verified());
        forgottenTotal.handOver(home.forgotten());
        withdrawnTotal.handOver(withdrawn);
        shinglesTotal.handOver(shingles.cut());
        shinglesLeftOutTotal.handOver(shingles.leftOut());
        held.record(home.held());
        sketchBytes.record((double) candidates.sketchBytes());
    }

    void close() {
        metrics.close();
    }
}
