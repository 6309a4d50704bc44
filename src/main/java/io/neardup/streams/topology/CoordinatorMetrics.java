package io.neardup.streams.topology;

import io.neardup.config.Signing;
import io.neardup.engine.protocol.CoordinatorCounts;
import io.neardup.engine.protocol.Decision;
import io.neardup.engine.protocol.Decision.Bound;
import io.neardup.engine.protocol.DocumentCoordinator;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Provenance;
import io.neardup.engine.similarity.TextSigner.ShingleTotals;
import io.neardup.record.Publishers;
import io.neardup.record.Reason;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.metrics.Sources;
import io.neardup.streams.metrics.TaskCounts;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a coordinator counts. Nothing of it is seen before {@link #report}, at a commit. */
final class CoordinatorMetrics {
    /** Records that have waited for so long are looked at for their sources, so often. */
    private static final long WAITING_MILLIS = 5_000;

    private static final int WAITING_MAX = 256;

    private final TaskCounts counts;
    private final String partition;
    private final boolean knowsSources;
    private final Signing signing;
    private final Publishers publishers;
    private final Map<Reason, Long> deadLetters = new EnumMap<>(Reason.class);
    private final Map<Bound, Long> bounded = new EnumMap<>(Bound.class);
    private long lookedAtWaitingMillis;
    private long unique;
    private long duplicates;
    private long withdrawn;

    CoordinatorMetrics(int partition, DedupTopology flow) {
        this.counts = flow.counts().ofTask();
        this.partition = String.valueOf(partition);
        this.knowsSources = flow.config().source().isPresent();
        this.signing = flow.signing();
        this.publishers = flow.config().publishers();
        Reason.ofDeadLetters().forEach(reason -> deadLetters.put(reason, 0L));
        Arrays.stream(Bound.values()).forEach(bound -> bounded.put(bound, 0L));
        // Lets every outcome be seen from the start, as none.
        addDocuments();
    }

    /** @param decision of a record that leaves on the unique output, also of a tombstone */
    void unique(Arrival arrival, Decision decision, long nowMillis) {
        unique++;
        Set<Bound> bounds = OutputRecords.bounds(decision);
        bounds.forEach(bound -> bounded.merge(bound, 1L, Long::sum));
        noteDecisionTime(arrival, nowMillis);
        boolean isTombstone = arrival.input().value() == null;
        if (decision instanceof Decision.Unique judged) {
            Neighbour nearest = judged.nearest();
            double similarity = nearest == null ? 0 : nearest.similarity().value();
            counts.note(all -> all.nearest().add(false, similarity, nowMillis));
        }
        if (knowsSources && !isTombstone) {
            String source = Sources.nameOf(arrival.source());
            counts.note(all -> all.sources().unique(source, nowMillis));
        }
    }

    void duplicate(Arrival arrival, Decision.Duplicate duplicate, long nowMillis) {
        duplicates++;
        noteDecisionTime(arrival, nowMillis);
        double similarity = duplicate.similarity().value();
        counts.note(ServiceMetric.SIMILARITY, similarity);
        counts.note(new ServiceCounts.Duplicate(arrival.id(), duplicate.originalId(), similarity, nowMillis));
        counts.note(all -> all.nearest().add(true, similarity, nowMillis));
        if (signing.judgesBySharing()) {
            long original = duplicate.original().packed();
            double chance = signing.sharing(similarity);
            counts.note(all -> all.recall().add(original, chance));
        }
        if (knowsSources) {
            noteSource(arrival, duplicate.provenance(), nowMillis);
        }
    }

    private void noteSource(Arrival arrival, Provenance ofOriginal, long nowMillis) {
        String source = Sources.nameOf(arrival.source());
        String original = Sources.nameOf(ofOriginal.source());
        boolean isOfPublisher = isOfPublisher(arrival.source(), ofOriginal.source());
        double afterSeconds =
                seconds(ofOriginal.timestampMillis(), arrival.input().timestamp());
        counts.note(all -> all.sources().copy(source, original, isOfPublisher, afterSeconds, nowMillis));
    }

    private boolean isOfPublisher(String source, String original) {
        Optional<String> publisher = publishers.of(source);
        return publisher.isPresent() && publisher.equals(publishers.of(original));
    }

    /** NaN where one of them is none: records older than timestamps have -1. */
    private static double seconds(long fromMillis, long toMillis) {
        return fromMillis < 0 || toMillis < 0 ? Double.NaN : (toMillis - fromMillis) / 1_000.0;
    }

    private void noteDecisionTime(Arrival arrival, long nowMillis) {
        counts.note(ServiceMetric.DECISION_SECONDS, Math.max(0, nowMillis - arrival.takenMillis()) / 1_000.0);
    }

    void deadLetter(Reason reason) {
        deadLetters.merge(reason, 1L, Long::sum);
    }

    void withdraw() {
        withdrawn++;
    }

    /** To be called when all that was counted by now is committed. */
    void report(DocumentCoordinator<Arrival> coordinator, ShingleTotals shingles, long inputPauses, long nowMillis) {
        addDocuments();
        counts.addNoted();
        counts.total(ServiceMetric.INPUT_PAUSES, inputPauses);
        CoordinatorCounts more = coordinator.counts();
        counts.total(ServiceMetric.ASKED_AGAIN, more.askedAgain());
        counts.total(ServiceMetric.VERIFICATIONS_DROPPED, more.requestsDropped());
        counts.total(ServiceMetric.ORIGINALS_EXPIRED, more.expired());
        counts.total(ServiceMetric.ORIGINALS_REMOVED, more.forgotten());
        addCandidates(more);
        counts.total(ServiceMetric.SHINGLES, shingles.cut());
        counts.total(ServiceMetric.SHINGLES_BOILERPLATE, shingles.boilerplate());
        counts.gauge(ServiceMetric.PENDING, coordinator.held(), partition);
        // When it was taken; 0 where there is none.
        counts.gauge(
                ServiceMetric.PENDING_OLDEST_SECONDS,
                coordinator.oldest(1).findFirst().map(Arrival::takenMillis).orElse(0L),
                partition);
        if (knowsSources) {
            lookAtWaiting(coordinator, nowMillis);
        }
    }

    private void addDocuments() {
        counts.total(ServiceMetric.DOCUMENTS, unique, "unique", "");
        counts.total(ServiceMetric.DOCUMENTS, duplicates, "duplicate", "");
        deadLetters.forEach(
                (reason, count) -> counts.total(ServiceMetric.DOCUMENTS, count, "dead-letter", reason.code()));
        bounded.forEach(
                (bound, count) -> counts.total(ServiceMetric.DOCUMENTS_BOUNDED, count, OutputRecords.code(bound)));
        counts.total(ServiceMetric.DOCUMENTS_WITHDRAWN, withdrawn);
    }

    private void addCandidates(CoordinatorCounts counted) {
        counts.total(ServiceMetric.CANDIDATES_DROPPED, counted.beyond(), "coordinator");
        counts.total(ServiceMetric.CANDIDATES_UNLIKE, counted.unlike());
        counts.gauge(ServiceMetric.SKETCH_BYTES, counted.sketchBytes(), partition);
        counts.tally(ServiceMetric.CANDIDATES, counted.asked(), number -> number);
        counts.tally(ServiceMetric.VERIFICATIONS, counted.compared(), number -> number);
        counts.tally(ServiceMetric.CANDIDATE_SIMILARITY, counted.differences(), signing::similarityAt);
    }

    /** Those that leave in time cost nothing here. */
    private void lookAtWaiting(DocumentCoordinator<Arrival> coordinator, long nowMillis) {
        boolean isWaiting = coordinator
                .oldest(1)
                .findFirst()
                .filter(oldest -> nowMillis - oldest.takenMillis() >= WAITING_MILLIS)
                .isPresent();
        if (!isWaiting) {
            counts.waiting(List.of());
        } else if (nowMillis - lookedAtWaitingMillis >= WAITING_MILLIS) {
            lookedAtWaitingMillis = nowMillis;
            counts.waiting(coordinator
                    .oldest(WAITING_MAX)
                    .map(arrival -> arrival.source().isEmpty() ? "" : Sources.nameOf(arrival.source()))
                    .toList());
        }
    }

    void close() {
        counts.close();
    }
}
