package io.neardup.streams.topology;

import io.neardup.config.Signing;
import io.neardup.engine.protocol.CoordinatorCounts;
import io.neardup.engine.protocol.Decision;
import io.neardup.engine.protocol.Decision.Bound;
import io.neardup.engine.protocol.DocumentCoordinator;
import io.neardup.engine.protocol.Provenance;
import io.neardup.engine.similarity.TextSigner.ShingleTotals;
import io.neardup.record.Publishers;
import io.neardup.record.Reason;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceCounts.Duplicate;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.metrics.Sources;
import io.neardup.streams.metrics.TaskCounts;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

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
    private final LongAdder uniqueTotal;
    private final LongAdder duplicateTotal;
    private long lookedAtWaitingMillis;

    CoordinatorMetrics(int partition, DedupTopology flow) {
        this.counts = flow.counts().ofTask();
        this.partition = String.valueOf(partition);
        this.knowsSources = flow.config().source().isPresent();
        this.signing = flow.signing();
        this.publishers = flow.config().publishers();
        // Lets every outcome be seen from the start, as none.
        ServiceCounts all = flow.counts();
        this.uniqueTotal = all.total(ServiceMetric.DOCUMENTS, "unique", "");
        this.duplicateTotal = all.total(ServiceMetric.DOCUMENTS, "duplicate", "");
        Reason.ofDeadLetters().forEach(reason -> all.total(ServiceMetric.DOCUMENTS, "dead-letter", reason.code()));
        Stream.of(Bound.values()).forEach(bound -> bounded(all, bound));
        all.total(ServiceMetric.DOCUMENTS_WITHDRAWN);
    }

    /** @param decision of a record that leaves on the unique output, also of a tombstone */
    void unique(Arrival arrival, Decision decision, long nowMillis) {
        double seconds = decisionSeconds(arrival, nowMillis);
        Set<Bound> bounds = OutputRecords.bounds(decision);
        counts.note(all -> {
            uniqueTotal.increment();
            bounds.forEach(bound -> bounded(all, bound).increment());
            all.histogram(ServiceMetric.DECISION_SECONDS).add(seconds, 1);
        });
        if (decision instanceof Decision.Unique judged && judged.nearestBelow() != null) {
            double similarity = judged.nearestBelow().similarity().value();
            counts.note(all -> all.nearest().add(false, similarity, nowMillis));
        }
        boolean isTombstone = arrival.input().value() == null;
        if (knowsSources && !isTombstone) {
            String source = Sources.nameOf(arrival.source());
            counts.note(all -> all.sources().unique(source, nowMillis));
        }
    }

    void duplicate(Arrival arrival, Decision.Duplicate duplicate, long nowMillis) {
        double seconds = decisionSeconds(arrival, nowMillis);
        double similarity = duplicate.similarity().value();
        Duplicate left = new Duplicate(arrival.id(), duplicate.originalId(), similarity, nowMillis);
        counts.note(all -> {
            duplicateTotal.increment();
            all.histogram(ServiceMetric.DECISION_SECONDS).add(seconds, 1);
            all.histogram(ServiceMetric.SIMILARITY).add(similarity, 1);
            all.nearest().add(true, similarity, nowMillis);
            all.addLatest(left);
        });
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

    private static double decisionSeconds(Arrival arrival, long nowMillis) {
        return Math.max(0, nowMillis - arrival.takenMillis()) / 1_000.0;
    }

    private static LongAdder bounded(ServiceCounts all, Bound bound) {
        return all.total(ServiceMetric.DOCUMENTS_BOUNDED, OutputRecords.code(bound));
    }

    void deadLetter(Reason reason) {
        counts.note(ServiceMetric.DOCUMENTS, "dead-letter", reason.code());
    }

    void withdraw() {
        counts.note(ServiceMetric.DOCUMENTS_WITHDRAWN);
    }

    /** To be called when all that was counted by now is committed. */
    void report(DocumentCoordinator<Arrival> coordinator, ShingleTotals shingles, long inputPauses, long nowMillis) {
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
        long oldestMillis =
                coordinator.oldest(1).findFirst().map(Arrival::takenMillis).orElse(0L);
        counts.gauge(ServiceMetric.PENDING_OLDEST_SECONDS, oldestMillis, partition);
        if (knowsSources) {
            lookAtWaiting(coordinator, oldestMillis, nowMillis);
        }
    }

    private void addCandidates(CoordinatorCounts counted) {
        counts.total(ServiceMetric.CANDIDATES_DROPPED, counted.notCompared(), "coordinator");
        counts.total(ServiceMetric.CANDIDATES_UNLIKE, counted.ruledOut());
        counts.gauge(ServiceMetric.SKETCH_BYTES, counted.sketchBytes(), partition);
        counts.tally(ServiceMetric.CANDIDATES, counted.asked(), number -> number);
        counts.tally(ServiceMetric.VERIFICATIONS, counted.compared(), number -> number);
        counts.tally(ServiceMetric.CANDIDATE_SIMILARITY, counted.differences(), signing::similarityAt);
    }

    /** Looks up the sources of waiting records; costs nothing while none waits for long. */
    private void lookAtWaiting(DocumentCoordinator<Arrival> coordinator, long oldestMillis, long nowMillis) {
        if (oldestMillis == 0 || nowMillis - oldestMillis < WAITING_MILLIS) {
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
