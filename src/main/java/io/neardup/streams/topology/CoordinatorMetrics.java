package io.neardup.streams.topology;

import io.neardup.config.Signing;
import io.neardup.engine.protocol.CoordinatorCounts;
import io.neardup.engine.protocol.CoordinatorCounts.CandidateCounts;
import io.neardup.engine.protocol.Decision;
import io.neardup.engine.protocol.Decision.Bound;
import io.neardup.engine.protocol.DocumentCoordinator;
import io.neardup.engine.similarity.ShingleTotals;
import io.neardup.record.Printable;
import io.neardup.record.Reason;
import io.neardup.streams.metrics.HistogramCounts.Observations;
import io.neardup.streams.metrics.LatestDuplicates;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.metrics.TopSources;
import io.neardup.streams.topology.TaskMetrics.Level;
import io.neardup.streams.topology.TaskMetrics.Total;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.streams.StreamsMetrics;

/** What a coordinator counts. Nothing of it is seen before {@link #handOver}, at a commit. */
final class CoordinatorMetrics {
    /** Records that have waited for so long are looked at for their sources, so often. */
    private static final long WAITING_MILLIS = 5_000;

    private static final int WAITING_MAX = 256;

    private final TaskMetrics metrics;
    private final ServiceCounts counts;
    private final Optional<SourcePointer> source;
    private final TopSources sources = new TopSources();
    private final Total uniqueTotal;
    private final Total duplicatesTotal;
    private final Total deadLettersTotal;
    private final Map<Reason, Total> byReasonTotal = new EnumMap<>(Reason.class);
    private final Map<Reason, Long> byReason = new EnumMap<>(Reason.class);
    private final Map<Bound, Total> boundedTotal = new EnumMap<>(Bound.class);
    private final Map<Bound, Long> bounded = new EnumMap<>(Bound.class);
    private final Total inputPausedTotal;
    private final Total askedAgainTotal;
    private final Total questionsDroppedTotal;
    private final Signing signing;
    private final Total candidatesAskedTotal;
    private final Total candidatesDroppedTotal;
    private final Total candidatesUnlikeTotal;
    private final Total candidatesVerifiedTotal;
    private final Total expiredTotal;
    private final Total forgottenTotal;
    private final Total withdrawnTotal;
    private final Total shinglesTotal;
    private final Total shinglesLeftOutTotal;
    private final Level held;
    private final Level sketchBytes;
    /** When the oldest record in flight was taken, in milliseconds; 0 where there is none. */
    private final ServiceCounts.Gauge oldestTakenMillis;

    private final Observations decisionSeconds;
    private final Observations similarity;
    private final TallyHandOver candidates;
    private final TallyHandOver verifications;
    private final TallyHandOver candidateSimilarity;
    private final Deque<LatestDuplicates.Repeat> latest = new ArrayDeque<>();
    private long lookedAtWaitingMillis;
    private long unique;
    private long duplicates;
    private long deadLetters;
    private long withdrawn;

    CoordinatorMetrics(StreamsMetrics streamsMetrics, String task, int partition, CoordinatorSettings settings) {
        this.metrics = new TaskMetrics(streamsMetrics, task);
        this.counts = settings.counts();
        this.source = settings.source();
        this.signing = settings.signing();
        uniqueTotal = metrics.total(
                "unique-total",
                "Records sent to the unique output",
                counts.total(ServiceMetric.DOCUMENTS, "unique", ""));
        duplicatesTotal = metrics.total(
                "duplicates-total",
                "Documents sent to the duplicates output",
                counts.total(ServiceMetric.DOCUMENTS, "duplicate", ""));
        // The process has them by their reasons alone.
        deadLettersTotal =
                metrics.total("dead-letters-total", "Records sent to the dead-letter output", new LongAdder());
        for (Reason reason : Reason.ofDeadLetters()) {
            byReasonTotal.put(
                    reason,
                    metrics.total(
                            "dead-letters-by-reason-total",
                            "Records sent to the dead-letter output for one reason",
                            Map.of("reason", reason.code()),
                            counts.total(ServiceMetric.DOCUMENTS, "dead-letter", reason.code())));
        }
        for (Bound bound : Bound.values()) {
            boundedTotal.put(
                    bound,
                    metrics.total(
                            "bounded-total",
                            "Unique documents of which a bound left out candidates",
                            Map.of("reason", OutputRecords.code(bound)),
                            counts.total(ServiceMetric.DOCUMENTS_BOUNDED, OutputRecords.code(bound))));
        }
        inputPausedTotal = metrics.total(
                "input-paused-total",
                "Pauses of the input because too much was in flight",
                counts.total(ServiceMetric.INPUT_PAUSES));
        askedAgainTotal = metrics.total(
                "asked-again-total",
                "Pending documents that asked again, as no answer had come",
                counts.total(ServiceMetric.ASKED_AGAIN));
        questionsDroppedTotal = metrics.total(
                "questions-dropped-total",
                "Questions of documents that were dropped, as too many waited",
                counts.total(ServiceMetric.QUESTIONS_DROPPED));
        // The process has both by document.
        candidatesAskedTotal =
                metrics.total("candidates-asked-total", "Candidates that documents asked about", new LongAdder());
        candidatesDroppedTotal = metrics.total(
                "candidates-dropped-total",
                "Candidates left out because a document had too many",
                counts.total(ServiceMetric.CANDIDATES_DROPPED, "coordinator"));
        candidatesUnlikeTotal = metrics.total(
                "candidates-unlike-total",
                "Candidates dropped by their sketches or outlines",
                counts.total(ServiceMetric.CANDIDATES_UNLIKE));
        candidatesVerifiedTotal = metrics.total(
                "candidates-verified-total",
                "Candidates compared with a document by all of their text",
                new LongAdder());
        expiredTotal = metrics.total(
                "expired-total", "Originals whose retention was over", counts.total(ServiceMetric.ORIGINALS_EXPIRED));
        forgottenTotal = metrics.total(
                "forgotten-total",
                "Originals that expired, were taken back, replaced or withdrawn",
                counts.total(ServiceMetric.ORIGINALS_FORGOTTEN));
        withdrawnTotal = metrics.total(
                "withdrawn-total",
                "Unique documents that left as dead letters in the end",
                counts.total(ServiceMetric.DOCUMENTS_WITHDRAWN));
        shinglesTotal = metrics.total(
                "shingles-total", "Shingles of documents, repeats included", counts.total(ServiceMetric.SHINGLES));
        shinglesLeftOutTotal = metrics.total(
                "shingles-left-out-total",
                "Shingles of documents that do not count, as they are common",
                counts.total(ServiceMetric.SHINGLES_LEFT_OUT));
        String place = String.valueOf(partition);
        held = metrics.gauge("held", "Documents in flight", counts.gauge(ServiceMetric.PENDING, place));
        sketchBytes = metrics.gauge(
                "sketch-bytes",
                "Heap that sketches of originals and outlines take",
                counts.gauge(ServiceMetric.SKETCH_BYTES, place));
        oldestTakenMillis = counts.gauge(ServiceMetric.PENDING_OLDEST_SECONDS, place);
        decisionSeconds = observations(ServiceMetric.DECISION_SECONDS);
        similarity = observations(ServiceMetric.SIMILARITY);
        candidates = new TallyHandOver(observations(ServiceMetric.CANDIDATES));
        verifications = new TallyHandOver(observations(ServiceMetric.VERIFICATIONS));
        candidateSimilarity = new TallyHandOver(observations(ServiceMetric.CANDIDATE_SIMILARITY));
    }

    private Observations observations(ServiceMetric metric) {
        return counts.histogram(metric).observations();
    }

    void unique(Arrival arrival, Set<Bound> bounds, long nowMillis) {
        unique++;
        bounds.forEach(bound -> bounded.merge(bound, 1L, Long::sum));
        noteDecisionTime(arrival, nowMillis);
    }

    void duplicate(Arrival arrival, Decision.Duplicate duplicate, long nowMillis) {
        duplicates++;
        noteDecisionTime(arrival, nowMillis);
        double value = duplicate.similarity().value();
        similarity.note(value);
        latest.add(new LatestDuplicates.Repeat(arrival.id(), duplicate.originalId(), value, nowMillis));
        if (latest.size() > LatestDuplicates.MAX) {
            latest.remove();
        }
        source.flatMap(pointer -> pointer.in(arrival.input().value())).ifPresent(name -> sources.add(name, 1));
    }

    private void noteDecisionTime(Arrival arrival, long nowMillis) {
        decisionSeconds.note(Math.max(0, nowMillis - arrival.takenMillis()) / 1_000.0);
    }

    void deadLetter(Reason reason) {
        deadLetters++;
        byReason.merge(reason, 1L, Long::sum);
    }

    void withdraw() {
        withdrawn++;
    }

    void handOver(DocumentCoordinator<Arrival> coordinator, ShingleTotals shingles, long inputPauses, long nowMillis) {
        uniqueTotal.handOver(unique);
        duplicatesTotal.handOver(duplicates);
        deadLettersTotal.handOver(deadLetters);
        byReason.forEach((reason, count) ->
                Objects.requireNonNull(byReasonTotal.get(reason)).handOver(count));
        bounded.forEach((bound, count) ->
                Objects.requireNonNull(boundedTotal.get(bound)).handOver(count));
        inputPausedTotal.handOver(inputPauses);
        CoordinatorCounts more = coordinator.counts();
        askedAgainTotal.handOver(more.askedAgain());
        questionsDroppedTotal.handOver(more.requestsDropped());
        handOver(coordinator.candidates());
        expiredTotal.handOver(more.expired());
        forgottenTotal.handOver(more.forgotten());
        withdrawnTotal.handOver(withdrawn);
        shinglesTotal.handOver(shingles.cut());
        shinglesLeftOutTotal.handOver(shingles.leftOut());
        held.set(coordinator.held());
        oldestTakenMillis.set(
                coordinator.oldest(1).findFirst().map(Arrival::takenMillis).orElse(0L));
        decisionSeconds.count();
        similarity.count();
        counts.latest().add(latest);
        latest.clear();
        counts.sources().takeAll(sources);
        source.ifPresent(pointer -> lookAtWaiting(coordinator, pointer, nowMillis));
    }

    /** Those that leave in time cost nothing here. */
    private void lookAtWaiting(DocumentCoordinator<Arrival> coordinator, SourcePointer pointer, long nowMillis) {
        boolean isWaiting = coordinator
                .oldest(1)
                .findFirst()
                .filter(oldest -> nowMillis - oldest.takenMillis() >= WAITING_MILLIS)
                .isPresent();
        if (!isWaiting) {
            counts.waiting().remove(this);
        } else if (nowMillis - lookedAtWaitingMillis >= WAITING_MILLIS) {
            lookedAtWaitingMillis = nowMillis;
            List<String> names = coordinator
                    .oldest(WAITING_MAX)
                    .map(arrival -> pointer.in(arrival.input().value())
                            .map(Printable::of)
                            .orElse(""))
                    .toList();
            counts.waiting().set(this, names);
        }
    }

    private void handOver(CandidateCounts counted) {
        candidatesAskedTotal.handOver(counted.askedTotal());
        candidatesDroppedTotal.handOver(counted.dropped());
        candidatesUnlikeTotal.handOver(counted.unlike());
        candidatesVerifiedTotal.handOver(counted.verified());
        sketchBytes.set(counted.sketchBytes());
        candidates.handOver(counted.asked(), number -> number);
        verifications.handOver(counted.compared(), number -> number);
        candidateSimilarity.handOver(counted.differences(), signing::similarityAt);
    }

    void close() {
        metrics.close();
        oldestTakenMillis.remove();
        counts.waiting().remove(this);
    }
}
