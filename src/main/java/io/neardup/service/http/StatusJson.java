package io.neardup.service.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.neardup.service.cluster.GroupStatus;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.lifecycle.ServiceStatus;
import io.neardup.service.lifecycle.SteadyClock;
import io.neardup.service.migration.SeedWatch.SeedingStatus;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.metrics.Sources;
import io.neardup.streams.store.Cutover;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How an instance stands and what the cluster knows of its group, as JSON has it: what probes answer, what
 * {@code /api/status} does, and what the page is sent each second. Names of components are those of its keys.
 */
final class StatusJson {
    static final String DEAD_LETTER = "dead-letter";

    private StatusJson() {}

    /**
     * What an instance is at, for probes.
     *
     * @param brokersAnswer not there while it starts, as nobody has asked
     */
    @JsonInclude(Include.NON_NULL)
    record Health(
            String state,
            int tasks,
            @Nullable Boolean brokersAnswer,
            @Nullable Restoring restoring,
            @Nullable Following following,
            @Nullable Seeding seeding,
            @Nullable HandingOver handingOver) {

        static Health of(ServiceStatus status) {
            return new Health(
                    status.phase().name().toLowerCase(Locale.ROOT),
                    status.tasks(),
                    status.phase() == ServiceStatus.Phase.STARTING ? null : status.brokersAnswer(),
                    Restoring.of(status.restoring()),
                    Following.of(status.seeding()),
                    Seeding.of(status.seeding()),
                    HandingOver.of(status.handingOver()));
        }
    }

    record Restoring(int partitions, long recordsLeft) {
        static @Nullable Restoring of(ServiceStatus.Restoring left) {
            return left.partitions() == 0 ? null : new Restoring(left.partitions(), left.recordsLeft());
        }
    }

    /** An index that is made from another one. */
    record Following(String predecessor, long recordsLeft, boolean handedOver, int coordinatorsLeft) {
        static @Nullable Following of(SeedingStatus seeding) {
            return seeding.predecessor().isEmpty()
                    ? null
                    : new Following(
                            seeding.predecessor(),
                            seeding.records() - seeding.recordsRead(),
                            !seeding.isFollowing(),
                            seeding.coordinatorsLeft());
        }
    }

    record Seeding(String topic, long recordsRead, long records, int coordinatorsLeft) {
        static @Nullable Seeding of(SeedingStatus seeding) {
            return seeding.isDone() || !seeding.predecessor().isEmpty()
                    ? null
                    : new Seeding(
                            seeding.topic(), seeding.recordsRead(), seeding.records(), seeding.coordinatorsLeft());
        }
    }

    record HandingOver(String successor, String stage, int coordinators, int coordinatorsLeft) {
        static @Nullable HandingOver of(Cutover cutover) {
            return cutover.request()
                    .map(asked -> new HandingOver(
                            asked.successor(),
                            cutover.stage().name().toLowerCase(Locale.ROOT),
                            asked.coordinators(),
                            cutover.coordinatorsLeft()))
                    .orElse(null);
        }
    }

    /** What an instance is at and has done. */
    record Instance(
            @JsonUnwrapped Health health,
            String id,
            Documents documents,
            long pending,
            double oldestPendingSeconds,
            long askedAgain,
            long boundedDocuments,
            long indexedDocuments,
            long indexBytes,
            long indexHotBytes,
            long indexColdBytes,
            long indexSegments,
            List<String> alerts) {

        static Instance of(DedupService service) {
            ServiceCounts counts = service.counts();
            return new Instance(
                    Health.of(service.status()),
                    service.instance(),
                    Documents.of(counts),
                    counts.values(ServiceMetric.PENDING).sum(),
                    counts.oldestPendingSeconds(SteadyClock.SYSTEM.millis()),
                    counts.values(ServiceMetric.ASKED_AGAIN).sum(),
                    counts.values(ServiceMetric.DOCUMENTS_BOUNDED).sum(),
                    counts.values(ServiceMetric.INDEX_DOCUMENTS).max().orElse(0),
                    counts.values(ServiceMetric.INDEX_BYTES).sum(),
                    counts.values(ServiceMetric.INDEX_HOT_BYTES).sum(),
                    counts.values(ServiceMetric.INDEX_COLD_BYTES).sum(),
                    counts.values(ServiceMetric.INDEX_SEGMENTS).sum(),
                    service.alerts());
        }
    }

    /** Records that have left. */
    record Documents(long unique, long duplicates, long deadLetters, Map<String, Long> deadLettersByReason) {
        static Documents of(ServiceCounts counts) {
            Map<String, Long> reasons = new TreeMap<>();
            counts.byLabels(ServiceMetric.DOCUMENTS).forEach((labels, total) -> {
                if (labels.get(0).equals(DEAD_LETTER) && total > 0) {
                    reasons.put(labels.get(1), total);
                }
            });
            return new Documents(
                    counts.sum(ServiceMetric.DOCUMENTS, "unique"),
                    counts.sum(ServiceMetric.DOCUMENTS, "duplicate"),
                    counts.sum(ServiceMetric.DOCUMENTS, DEAD_LETTER),
                    reasons);
        }
    }

    /** What the cluster knows of all instances. */
    record Group(
            String state,
            int members,
            long lag,
            @JsonInclude(Include.NON_NULL) @Nullable Long storyLag,
            long secondsAgo,
            List<GroupStatus.Lag> lagByPartition) {
        static Group of(GroupStatus known) {
            List<GroupStatus.Lag> lag = known.lag().orElse(List.of());
            return new Group(
                    known.state(),
                    known.members(),
                    lag.stream().mapToLong(GroupStatus.Lag::records).sum(),
                    known.storyLag().orElse(null),
                    known.secondsAgo(),
                    lag);
        }
    }

    /**
     * @param parting what the nearest originals of the last day say of the threshold; not there where that is nothing
     * @param group null where the cluster has not answered yet
     */
    private record Status(
            String applicationId,
            Instance instance,
            @JsonInclude(Include.NON_EMPTY) String parting,
            @Nullable Group group) {}

    /** Those with the most documents, most first; none where the settings name no source. */
    record BySource(List<Sources.Source> sources) {
        static BySource of(Optional<DedupService> service) {
            return new BySource(
                    service.map(running -> running.counts().sources().most(Integer.MAX_VALUE))
                            .orElse(List.of()));
        }
    }

    /** Of an instance that has no service yet. */
    private record Starting(Health instance) {}

    /** All that is known, to be written as JSON. */
    static Object status(Optional<DedupService> service) {
        return service.<Object>map(running -> new Status(
                        running.config().applicationId(),
                        Instance.of(running),
                        running.separation()
                                .sentences(running.counts().nearest().ofDay(SteadyClock.SYSTEM.millis())),
                        running.group().map(Group::of).orElse(null)))
                .orElseGet(() -> new Starting(Health.of(ServiceStatus.STARTING)));
    }
}
