package io.neardup.service.lifecycle;

import io.neardup.config.NeardupConfig;
import io.neardup.record.AvroValues;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.GroupStatus;
import io.neardup.service.cluster.StartupException;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceCounts.WaitingSource;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.metrics.Sources.Repeated;
import io.neardup.streams.metrics.Sources.Source;
import io.neardup.streams.metrics.Sources.Vanishing;
import io.neardup.streams.store.TopicNames;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator should look at. At each look it reads how the cluster and this instance stand, into one
 * {@link Reading}, and asks each {@link Rule} what is wrong. An alert is logged once when it appears, and reported as
 * long as it lasts. What figures alone tell, an alerting system knows better: see {@code docker/prometheus}.
 */
final class Alerts {
    private static final Logger LOG = LoggerFactory.getLogger(Alerts.class);
    /** More at a time have one cause, mostly. */
    private static final int SOURCES_NAMED_MAX = 3;
    /** Half a second is usual, and an answer that was lost is asked for again after 10 s. */
    private static final int WAITING_SECONDS = 60;
    /** What waited for a start, or for brokers, has so long to leave. */
    private static final long LEAVING_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final String NO_BROKER =
            "no broker answers; it goes on when one does; look at the brokers and at the"
                    + " end of their logs: a crash or a full disk ends one";

    private final ClusterAdmin admin;
    private final NeardupConfig config;
    private final String instance;
    private final List<TopicPartition> input = new ArrayList<>();
    private final List<TopicPartition> storyEvents;
    private final ServiceCounts counts;
    private final Supplier<ServiceStatus> status;
    private final List<Rule> rules;
    private Reading before;
    private long unreadyNanos = System.nanoTime();
    private volatile Optional<GroupStatus> known = Optional.empty();
    private volatile List<String> current = List.of();
    private volatile int counted;

    /**
     * What is wrong by what was read: a sentence each, without ids or texts of documents, though of sources, with since
     * when and what to do.
     *
     * @param isCounted whether an alerting system is to know: not what stays on purpose, or has a metric of its own
     */
    private record Rule(boolean isCounted, Function<Reading, Stream<String>> alerts) {}

    /**
     * What was seen at one moment.
     *
     * @param group when it was stable last, and this instance in it; empty before
     */
    record Reading(ServiceStatus status, Optional<GroupStatus> group) {}

    /**
     * @param instance what this one is called in the group
     * @param coordinators partitions of each input topic that are read
     * @param ofTopics what the topics show
     */
    Alerts(
            ClusterAdmin admin,
            NeardupConfig config,
            String instance,
            int coordinators,
            ServiceCounts counts,
            Supplier<ServiceStatus> status,
            Supplier<List<String>> ofTopics,
            OpenedIndex index,
            Path stateFolder) {
        this.admin = admin;
        this.config = config;
        this.instance = instance;
        this.storyEvents = config.writesStories()
                ? ClusterAdmin.partitions(
                        new TopicNames(config.applicationId()).storyEvents(), config.indexPartitions())
                : List.of();
        config.inputTopics().forEach(topic -> input.addAll(ClusterAdmin.partitions(topic, coordinators)));
        this.counts = counts;
        this.status = status;
        this.before = new Reading(status.get(), Optional.empty());
        this.rules = List.of(
                new Rule(false, now -> now.status.brokersAnswer() ? Stream.of() : Stream.of(NO_BROKER)),
                new Rule(false, now -> index.alerts().stream()),
                new Rule(true, now -> ofTopics.get().stream()),
                new Rule(true, now -> registry().stream()),
                new Rule(true, now -> unassigned(config.inputTopics(), before, now).stream()),
                new Rule(true, now -> StateDisk.of(stateFolder).flatMap(StateDisk::alert).stream()),
                new Rule(true, now -> counts.disk().latest(System.nanoTime()).stream()),
                new Rule(
                        true,
                        now -> StateDisk.memoryAlert(
                                counts.values(ServiceMetric.INDEX_HOT_BYTES).sum(),
                                StateDisk.memoryForBuckets(config.originalsMemoryBytes()))
                                .stream()),
                new Rule(false, now -> waiting().stream()),
                new Rule(false, now -> counts.sources().vanishing(SteadyClock.SYSTEM.millis()).stream()
                        .limit(SOURCES_NAMED_MAX)
                        .map(Alerts::vanishing)));
    }

    /** What to look at now, a sentence each. */
    List<String> current() {
        return current;
    }

    /** How many of them an alerting system is to know. */
    int counted() {
        return counted;
    }

    /** What the cluster knows of all instances; empty where it has never answered. */
    Optional<GroupStatus> group() {
        return known;
    }

    void look() {
        Reading now = new Reading(status.get(), readGroup());
        unreadyNanos = now.status.isReady() ? unreadyNanos : System.nanoTime();
        List<String> found = new ArrayList<>();
        int toCount = 0;
        for (Rule rule : rules) {
            List<String> ofRule = alerts(rule, now);
            found.addAll(ofRule);
            toCount += rule.isCounted ? ofRule.size() : 0;
        }
        Set<String> logged = current.stream().map(Alerts::withoutFigures).collect(Collectors.toSet());
        found.stream().filter(alert -> !logged.contains(withoutFigures(alert))).forEach(LOG::warn);
        current = found;
        counted = toCount;
        before = now;
    }

    /** These change from look to look. */
    private static String withoutFigures(String alert) {
        return alert.replaceAll("[0-9.,]+", "");
    }

    /** One that fails hinders no other. */
    private static List<String> alerts(Rule rule, Reading now) {
        try {
            return rule.alerts.apply(now).toList();
        } catch (RuntimeException e) {
            return List.of("one of the alerts cannot be checked (" + e + "): report it");
        }
    }

    /**
     * As it is now, where it is stable, and this instance in it: members of before it joined may be those of a life
     * that has ended. Else as it was when it was so last.
     */
    private Optional<GroupStatus> readGroup() {
        try {
            Optional<GroupStatus> now = GroupStatus.ask(admin, config.applicationId(), input, storyEvents);
            known = now.filter(found -> found.lag().isPresent()).or(() -> known);
            return now.filter(found -> found.isStable() && found.instances().contains(instance))
                    .or(() -> before.group);
        } catch (StartupException e) {
            LOG.debug("could not look at the members of the group; cause={}", e.toString());
            return before.group;
        }
    }

    // ---- rules

    /** That records wait for schemas which the registry does not give. */
    private Optional<String> registry() {
        return config.avro()
                .flatMap(AvroValues::problem)
                .map(problem -> "input waits for a schema, as the registry cannot be reached: " + problem
                        + "; nothing is lost, and it goes on when the registry answers");
    }

    /** Kafka Streams shares out what all instances read, and no more. For a moment that is so where tasks move. */
    static Optional<String> unassigned(Collection<String> inputTopics, Reading before, Reading now) {
        Set<String> unassigned = unassigned(inputTopics, now);
        return unassigned.isEmpty() || !unassigned.equals(unassigned(inputTopics, before))
                ? Optional.empty()
                : Optional.of(
                        "no instance is assigned the input topics " + unassigned + " that this one was started with:"
                                + " their documents wait; most likely another was started without them: restart with"
                                + " them every instance that does not show this alert");
    }

    private static Set<String> unassigned(Collection<String> inputTopics, Reading now) {
        Set<String> unassigned = new TreeSet<>();
        now.group.ifPresent(group -> {
            unassigned.addAll(inputTopics);
            unassigned.removeAll(group.assigned());
        });
        return unassigned;
    }

    /** Where no broker answers or tasks move, that says nothing of documents. */
    private Optional<String> waiting() {
        return System.nanoTime() - unreadyNanos > LEAVING_NANOS
                ? waiting(
                        counts.values(ServiceMetric.PENDING).sum(),
                        counts.oldestPendingSeconds(SteadyClock.SYSTEM.millis()),
                        counts.waiting())
                : Optional.empty();
    }

    /** @param most of which source most of the records are that wait for long */
    static Optional<String> waiting(long pending, double oldestSeconds, Optional<WaitingSource> most) {
        String whose = most.map(source -> String.format(
                        Locale.ROOT,
                        "; of %,d that wait for long %,d are of the source %s",
                        source.lookedAt(),
                        source.records(),
                        source.name()))
                .orElse("");
        return oldestSeconds < WAITING_SECONDS
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "of %,d records in flight the oldest has waited for %.0f s%s; look whether the other instances"
                                + " and the brokers are well; where the processor is full, throttle the producers that"
                                + " send many similar documents",
                        pending,
                        oldestSeconds,
                        whose));
    }

    /** What that is a sign of, the runbook says. */
    static String vanishing(Source source) {
        Vanishing found = Objects.requireNonNull(source.vanishes(), source.name());
        Repeated most = found.repeats();
        Double before = found.uniqueBefore();
        return String.format(
                Locale.ROOT,
                "the source %s vanishes: of %,d documents in a row %.0f%% repeat other sources%s, %.0f%% itself, and"
                        + " %.0f%% are unique%s; see which source it repeats, and src/docs/runbook.md",
                source.name(),
                found.documents(),
                percent(found.ofOthers(), found.documents()),
                most == null ? "" : ", most of all " + most.name(),
                percent(found.ofItself(), found.documents()),
                percent(found.unique(), found.documents()),
                before == null ? "" : String.format(Locale.ROOT, ", before %.0f%%", 100 * before));
    }

    private static double percent(long part, long all) {
        return Math.floor(100.0 * part / Math.max(1, all));
    }
}
