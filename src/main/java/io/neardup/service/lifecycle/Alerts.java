package io.neardup.service.lifecycle;

import com.sun.management.OperatingSystemMXBean;
import io.neardup.config.NeardupConfig;
import io.neardup.record.AvroValues;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.GroupStatus;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.TopicWatch;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.store.TopicNames;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What an operator should look at. At each look it reads how the cluster, this instance and its host stand, all into
 * one {@link Reading}, and asks each {@link Rule} what is wrong. The log has it when it begins, and who asks as long as
 * it lasts.
 */
final class Alerts {
    private static final Logger LOG = LoggerFactory.getLogger(Alerts.class);
    private static final long MEGABYTE = 1 << 20;
    private static final long BYTES_FEW = 256 * MEGABYTE;
    private static final double SHARE_SMALL = 0.05;
    /** With so much, a small share is enough. */
    private static final long BYTES_ENOUGH = 10_240 * MEGABYTE;

    /** More than what time synchronization sets at once while all is well. */
    private static final long AHEAD_MILLIS_MANY = 2_000;

    private static final String NO_BROKER =
            "no broker answers; it goes on when one does; look at the brokers and at the"
                    + " end of their logs: a crash or a full disk ends one";

    private final ClusterAdmin admin;
    private final String group;
    private final String instance;
    private final List<String> inputTopics;
    private final List<TopicPartition> input = new ArrayList<>();
    private final List<TopicPartition> storyEvents;
    private final ServiceCounts counts;
    private final Supplier<ServiceStatus> status;
    private final OpenedIndex index;
    private final Path stateFolder;
    private final Instances instances = new Instances();
    private final FlowAlerts flow = new FlowAlerts();
    private final SourceAlerts sources = new SourceAlerts();
    private final List<Rule> rules;
    private Reading before;
    private Set<Kind> logged = EnumSet.noneOf(Kind.class);
    private volatile Optional<GroupStatus> known = Optional.empty();
    private volatile List<String> notes = List.of();
    private volatile int missing;

    /** What is wrong, and at which level the log has it when it begins; without one another class logs it, or none. */
    enum Kind {
        /** In the log {@link TopicWatch} says so. */
        BROKERS(null),
        /** As the settings topic or the topics of the service show. */
        SETTINGS(null),
        REGISTRY(Level.WARN, "no input waits for a schema any more"),
        UNREAD(Level.WARN),
        /** Instances that may be back soon. */
        GONE(null),
        MISSING(Level.WARN),
        DISK(Level.WARN),
        DISK_FAILED(null),
        MEMORY(Level.WARN),
        CLOCK(Level.WARN),
        /** None leaves, or look-alikes take all the time; for less than a minute. */
        WAITING(Level.INFO),
        STALLED(Level.WARN, "none in flight waits for long any more"),
        DUPLICATES(Level.INFO),
        BOUNDED(Level.INFO),
        /** {@link SourceAlerts} logs each source. */
        VANISHING(null),
        LOST_TASKS(null),
        RULE_FAILED(Level.WARN);

        private final @Nullable Level level;
        /** What the log says when it is over; empty for nothing. */
        private final String over;

        Kind(@Nullable Level level) {
            this(level, "");
        }

        Kind(@Nullable Level level, String over) {
            this.level = level;
            this.over = over;
        }
    }

    /** Those of {@link FlowAlerts}. */
    private static final Set<Kind> OF_FLOW = EnumSet.of(Kind.WAITING, Kind.STALLED, Kind.DUPLICATES, Kind.BOUNDED);

    /** A sentence without ids or texts of documents, though of sources: what is wrong, since when, and what to do. */
    record Alert(Kind kind, String text) {}

    /** What is wrong by what was read. */
    interface Rule {
        Stream<Alert> notes(Reading now);
    }

    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static Rule rule(Kind kind, Function<Reading, Stream<String>> texts) {
        return now -> texts.apply(now).map(text -> new Alert(kind, text));
    }

    /**
     * What was seen at one moment.
     *
     * @param group when it was stable last, and this instance in it; empty before
     * @param disk empty where that is not known
     */
    record Reading(
            long nanos,
            ServiceStatus status,
            FlowAlerts.Observed flow,
            Optional<GroupStatus> group,
            List<String> inputTopics,
            Optional<Disk> disk,
            long clockAheadMillis) {}

    /** The disk of a folder. */
    record Disk(Path folder, boolean isWritable, long usableBytes, long totalBytes) {
        /** Sets the time of the folder, to see whether it can be written; empty where that is not known. */
        static Optional<Disk> of(Path folder) {
            return of(folder, Disk::takesTime);
        }

        /** By its rights alone, without changing anything. */
        static Optional<Disk> untouched(Path folder) {
            return of(folder, Files::isWritable);
        }

        private static Optional<Disk> of(Path folder, Predicate<Path> isWritable) {
            try {
                FileStore store = Files.getFileStore(folder);
                return Optional.of(
                        new Disk(folder, isWritable.test(folder), store.getUsableSpace(), store.getTotalSpace()));
            } catch (IOException e) {
                return Optional.empty();
            }
        }

        /** Where Linux has made a disk read-only after an error, its rights may still say that it can be written. */
        private static boolean takesTime(Path folder) {
            try {
                Files.setLastModifiedTime(folder, FileTime.from(Instant.now()));
            } catch (IOException e) { // Also where the folder is another user's, and may be written.
                if (String.valueOf(e.getMessage()).contains("Read-only file system")) {
                    return false;
                }
            }
            return Files.isWritable(folder);
        }
    }

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
            Path stateFolder,
            LostTasks lostTasks) {
        this.admin = admin;
        this.group = config.applicationId();
        this.instance = instance;
        this.inputTopics = config.inputTopics();
        this.storyEvents = config.writesStories()
                ? ClusterAdmin.partitions(new TopicNames(group).storyEvents(), config.indexPartitions())
                : List.of();
        inputTopics.forEach(topic -> input.addAll(ClusterAdmin.partitions(topic, coordinators)));
        this.counts = counts;
        this.status = status;
        this.index = index;
        this.stateFolder = stateFolder;
        this.rules = List.of(
                rule(Kind.BROKERS, now -> now.status.brokersAnswer() ? Stream.of() : Stream.of(NO_BROKER)),
                rule(Kind.SETTINGS, now -> index.notes().stream()),
                rule(Kind.SETTINGS, now -> ofTopics.get().stream()),
                rule(Kind.REGISTRY, now -> registry(config).stream()),
                rule(Kind.UNREAD, now -> unread(before, now).stream()),
                this::missing,
                rule(Kind.DISK, now -> now.disk.flatMap(Alerts::disk).stream()),
                rule(Kind.DISK_FAILED, now -> counts.disk().note(now.nanos).stream()),
                rule(Kind.MEMORY, now -> memory(hotBytes(), memoryBesideHeap()).stream()),
                rule(Kind.CLOCK, now -> clock(now.clockAheadMillis).stream()),
                this::flow,
                rule(Kind.VANISHING, now -> sources.notes(counts.sources().vanishing(SteadyClock.SYSTEM.millis()))),
                rule(Kind.LOST_TASKS, now -> lostTasks.note(now.nanos).stream()));
        classPath().ifPresent(LOG::warn);
        this.before = read(Optional.empty());
        flow.restart(before.flow);
    }

    /** What to look at now, a sentence each. */
    List<String> notes() {
        return notes;
    }

    /** What the cluster knows of all instances; empty where it has never answered. */
    Optional<GroupStatus> group() {
        return known;
    }

    /** How many instances have gone within the last ten minutes, and no others have come. */
    int missing() {
        return missing;
    }

    /** Looks once. */
    void look() {
        Reading now = read(readGroup());
        List<Alert> found = rules.stream().flatMap(rule -> notes(rule, now)).toList();
        log(found, now.status.isReady());
        notes = found.stream().map(Alert::text).toList();
        before = now;
    }

    /** A rule that fails says so, and hinders no other. */
    static Stream<Alert> notes(Rule rule, Reading now) {
        try {
            return rule.notes(now).toList().stream();
        } catch (RuntimeException e) {
            LOG.debug("could not check one of the alerts, trying again", e);
            return Stream.of(new Alert(
                    Kind.RULE_FAILED,
                    "one of the alerts cannot be checked ("
                            + e.getClass().getSimpleName()
                            + " at " + e.getStackTrace()[0] + "), so it would not be shown here: report it"));
        }
    }

    /**
     * As it is now, where it is stable, and this instance in it: members of before it joined may be those of a life
     * that has ended. Else as it was when it was so last.
     */
    private Optional<GroupStatus> readGroup() {
        try {
            Optional<GroupStatus> now = GroupStatus.ask(admin, group, input, storyEvents);
            known = now.filter(found -> found.lag().isPresent()).or(() -> known);
            return now.filter(found -> found.isStable() && found.isRunning(instance))
                    .or(() -> before.group);
        } catch (StartupException e) {
            LOG.debug("could not look at the members of the group; cause={}", e.toString());
            return before.group;
        }
    }

    private Reading read(Optional<GroupStatus> stable) {
        // Who leaves says so before it goes, and once: what fails later must not lose it.
        index.noted().takeLeft().forEach(name -> instances.leave(name, System.nanoTime()));
        return new Reading(
                System.nanoTime(),
                status.get(),
                observe(stable.map(now -> now.instances().size()).orElse(0)),
                stable,
                inputTopics,
                Disk.of(stateFolder),
                SteadyClock.SYSTEM.aheadMillis());
    }

    private FlowAlerts.Observed observe(int instancesNow) {
        return new FlowAlerts.Observed(
                System.nanoTime(),
                counts.sum(ServiceMetric.DOCUMENTS, "unique"),
                counts.sum(ServiceMetric.DOCUMENTS, "duplicate"),
                counts.sum(ServiceMetric.DOCUMENTS, "dead-letter"),
                counts.values(ServiceMetric.DOCUMENTS_BOUNDED).sum(),
                counts.values(ServiceMetric.ASKED_AGAIN).sum(),
                counts.values(ServiceMetric.PENDING).sum(),
                counts.oldestPendingSeconds(SteadyClock.SYSTEM.millis()),
                counts.histogram(ServiceMetric.CANDIDATE_SIMILARITY).snapshot().total(),
                instancesNow,
                counts.waiting());
    }

    private Stream<Alert> missing(Reading now) {
        now.group
                .flatMap(stable -> instances.see(stable.instances(), now.nanos))
                .ifPresent(change ->
                        LOG.info("instances={} came={} gone={}", change.left(), change.came(), change.gone()));
        missing = instances.missing(now.nanos);
        Kind kind = instances.stayAway(now.nanos) ? Kind.MISSING : Kind.GONE;
        return instances.fewer(now.nanos).stream().map(text -> new Alert(kind, text));
    }

    private Stream<Alert> flow(Reading now) {
        if (!now.status.isReady()) {
            flow.restart(now.flow);
            return flow.kept(now.nanos).stream();
        }
        return flow.notes(now.flow).stream();
    }

    /** Each kind once, as long as it lasts. What waits while this instance is not ready is not known. */
    private void log(List<Alert> found, boolean isReady) {
        Set<Kind> now = EnumSet.noneOf(Kind.class);
        if (!isReady) {
            now.addAll(logged);
            now.retainAll(OF_FLOW);
        }
        for (Alert note : found) {
            @Nullable Level level = note.kind.level;
            if (level != null && !logged.contains(note.kind)) {
                LOG.atLevel(level).log(note.text);
            }
            now.add(note.kind);
        }
        logged.stream()
                .filter(kind -> !kind.over.isEmpty() && !now.contains(kind))
                .forEach(kind -> LOG.info(kind.over));
        logged = now;
    }

    // ---- rules that need no more than two readings

    /** That records wait for schemas which the registry does not give. */
    private static Optional<String> registry(NeardupConfig config) {
        return config.avro()
                .flatMap(AvroValues::problem)
                .map(problem -> "input waits for a schema, as the registry cannot be reached: " + problem
                        + "; nothing is lost, and it goes on when the registry answers");
    }

    /** Kafka Streams shares out what all instances read, and no more. For a moment that is so where tasks move. */
    static Optional<String> unread(Reading before, Reading now) {
        Set<String> unread = unread(now);
        return unread.isEmpty() || !unread.equals(unread(before))
                ? Optional.empty()
                : Optional.of("no instance is assigned the input topics " + unread + " that this one was started with:"
                        + " their documents wait; most likely another was started without them: restart with them"
                        + " each that does not say this");
    }

    private static Set<String> unread(Reading now) {
        return now.group()
                .map(group -> Instances.without(Set.copyOf(now.inputTopics()), group.assigned()))
                .orElse(Set.of());
    }

    /** That little is left where the state is kept, or nothing may be written there. */
    static Optional<String> disk(Disk disk) {
        if (!disk.isWritable()) {
            return Optional.of("the folder of state.dir, " + disk.folder() + ", cannot be written any more: when the"
                    + " service has to write there, it stops; look whether its disk is mounted read-only,"
                    + " and at its rights");
        }
        long usable = disk.usableBytes();
        boolean isLittle = usable < BYTES_FEW || (usable < SHARE_SMALL * disk.totalBytes() && usable < BYTES_ENOUGH);
        if (!isLittle) {
            return Optional.empty();
        }
        long total = disk.totalBytes() / MEGABYTE;
        String what = usable < MEGABYTE
                ? text("is full, all %,d MB of it: what it writes fails, and", total)
                : text("has %,d MB left of %,d: when it is full", usable / MEGABYTE, total);
        return Optional.of("the disk of state.dir, " + disk.folder() + ", " + what + " the service stops; make room");
    }

    private long hotBytes() {
        return counts.values(ServiceMetric.INDEX_HOT_BYTES).sum();
    }

    /** That what each lookup of buckets reads does not fit into memory. */
    static Optional<String> memory(long hotBytes, long bytesBesideHeap) {
        return hotBytes <= bytesBesideHeap
                ? Optional.empty()
                : Optional.of(text(
                        "lookups need %,d MB of buckets in memory, and there are %,d MB beside the heap: they"
                                + " read the disk, and get slower as the index grows; give this instance more"
                                + " memory or a smaller heap, or start another one",
                        hotBytes / MEGABYTE, bytesBesideHeap / MEGABYTE));
    }

    /** Of the machine, or of the container. */
    static long memoryBesideHeap() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getTotalMemorySize() - Runtime.getRuntime().maxMemory()
                : Long.MAX_VALUE;
    }

    /** That the clock of the host was set back while the service runs, be it by mistake or after one. */
    static Optional<String> clock(long aheadMillis) {
        return aheadMillis < AHEAD_MILLIS_MANY
                ? Optional.empty()
                : Optional.of(text(
                        "the clock of this host is behind that of the service by %,d s: it was set back, or had been"
                                + " ahead; that of the service goes on more slowly until both agree, in %,d min at the"
                                + " latest; nothing is lost. If the host's is right now, a"
                                + " restart takes it at once; else look at its time synchronization",
                        TimeUnit.MILLISECONDS.toSeconds(aheadMillis),
                        TimeUnit.MILLISECONDS.toMinutes(SteadyClock.CATCHING_UP * aheadMillis) + 1));
    }

    /** For the start, where another class of Kafka's than ours is the clock of its clients. */
    static Optional<String> classPath() {
        return Time.SYSTEM instanceof SteadyClock.Reader
                ? Optional.empty()
                : Optional.of(
                        "expected the jar of neardup before kafka-clients on the class path, found it behind: where"
                                + " the clock of this host is set back, nothing leaves until it has caught up; put it"
                                + " first");
    }
}
