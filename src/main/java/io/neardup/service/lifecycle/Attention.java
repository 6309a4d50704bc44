package io.neardup.service.lifecycle;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.GroupStatus;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What an operator should look at. Every 5 s it reads how the cluster, this instance and its host stand, all into one
 * {@link Reading}, and asks each {@link Rule} what is amiss. The log has it when it begins, and who asks as long as it
 * lasts.
 */
final class Attention {
    static final long EVERY_MILLIS = 5_000;
    private static final Logger LOG = LoggerFactory.getLogger(Attention.class);

    private final Admin admin;
    private final String group;
    private final String instance;
    private final List<String> inputTopics;
    private final List<TopicPartition> input = new ArrayList<>();
    private final ServiceCounts counts;
    private final Supplier<ServiceStatus> status;
    private final Supplier<List<String>> ofTopics;
    private final SettingsWatch noted;
    private final Path stateFolder;
    private final Instances instances = new Instances();
    private final DocumentFlow flow = new DocumentFlow();
    private final List<Rule> rules;
    private Reading before;
    private Set<Kind> logged = EnumSet.noneOf(Kind.class);
    private volatile Optional<GroupStatus> known = Optional.empty();
    private volatile List<String> notes = List.of();
    private volatile int missing;
    private volatile boolean alone;

    /** What is amiss. */
    enum Kind {
        BROKERS,
        /** As the settings topic or the topics of the service say. */
        SETTINGS,
        UNREAD,
        UNREAD_OF_LAST,
        MISSING,
        DISK,
        DISK_FAILED,
        CLOCK,
        /** None leaves, or look-alikes take all the time; for less than a minute. */
        WAITING,
        STALLED,
        DUPLICATES,
        BOUNDED,
        LOST_TASKS
    }

    /** Those of {@link DocumentFlow}. */
    private static final Set<Kind> OF_FLOW = EnumSet.of(Kind.WAITING, Kind.STALLED, Kind.DUPLICATES, Kind.BOUNDED);

    /**
     * A sentence without ids or texts: what is amiss, since when, and what to do.
     *
     * @param level at which the log has it when it begins; empty where another class logs it
     */
    record Note(Kind kind, Optional<Level> level, String text) {
        static Note warning(Kind kind, String text) {
            return new Note(kind, Optional.of(Level.WARN), text);
        }

        static Note info(Kind kind, String text) {
            return new Note(kind, Optional.of(Level.INFO), text);
        }

        static Note unlogged(Kind kind, String text) {
            return new Note(kind, Optional.empty(), text);
        }
    }

    /** What is amiss by two readings in a row. */
    interface Rule {
        Stream<Note> notes(Reading before, Reading now);
    }

    /**
     * What was seen at one moment.
     *
     * @param status of this instance
     * @param flow what has left, and what waits
     * @param group when it was stable last, and this instance in it; empty before
     * @param inputTopics of this instance
     * @param startedLast which instance that is, and what it reads
     * @param leaving names of instances that said since the last reading that they leave
     * @param settings what the settings topic and the topics of the service show, a sentence each
     * @param diskFailure what the disk of the state did not take of late
     * @param disk empty where that is not known
     */
    record Reading(
            long nanos,
            ServiceStatus status,
            DocumentFlow.Observed flow,
            Optional<GroupStatus> group,
            List<String> inputTopics,
            Optional<SettingsTopic.Inputs> startedLast,
            List<String> leaving,
            List<String> settings,
            Optional<String> diskFailure,
            Optional<Disk> disk,
            long clockAheadMillis) {}

    /** The disk of a folder. */
    record Disk(Path folder, boolean isWritable, long usableBytes, long totalBytes) {
        /** Empty where that is not known. */
        static Optional<Disk> of(Path folder) {
            try {
                FileStore store = Files.getFileStore(folder);
                return Optional.of(
                        new Disk(folder, Files.isWritable(folder), store.getUsableSpace(), store.getTotalSpace()));
            } catch (IOException e) {
                return Optional.empty();
            }
        }
    }

    /**
     * The attention of an instance.
     *
     * @param instance what it is called in the group
     * @param coordinators partitions of each input topic that are read
     * @param ofTopics what the topics show
     * @param noted what other instances say
     * @param stateFolder of this instance
     */
    Attention(
            Admin admin,
            NeardupConfig config,
            String instance,
            int coordinators,
            ServiceCounts counts,
            Supplier<ServiceStatus> status,
            Supplier<List<String>> ofTopics,
            SettingsWatch noted,
            Path stateFolder,
            LostTasks lostTasks) {
        this.admin = admin;
        this.group = config.applicationId();
        this.instance = instance;
        this.inputTopics = config.inputTopics();
        for (String topic : inputTopics) {
            IntStream.range(0, coordinators).forEach(p -> input.add(new TopicPartition(topic, p)));
        }
        this.counts = counts;
        this.status = status;
        this.ofTopics = ofTopics;
        this.noted = noted;
        this.stateFolder = stateFolder;
        this.rules = List.of(
                (earlier, now) -> AttentionRules.brokers(now),
                (earlier, now) -> now.settings.stream().map(text -> Note.unlogged(Kind.SETTINGS, text)),
                AttentionRules::unread,
                (earlier, now) -> missing(now),
                (earlier, now) -> AttentionRules.disk(now),
                (earlier, now) -> now.diskFailure.stream().map(text -> Note.unlogged(Kind.DISK_FAILED, text)),
                (earlier, now) -> AttentionRules.clock(now),
                (earlier, now) -> flow(now),
                (earlier, now) -> lostTasks.notes(now.nanos));
        AttentionRules.classPath().ifPresent(LOG::warn);
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

    /** Whether this is the only instance, as far as is known. */
    boolean isAlone() {
        return alone;
    }

    /** How many instances have gone within the last ten minutes, and no others have come. */
    int missing() {
        return missing;
    }

    /** Looks once. */
    void look() throws InterruptedException {
        Reading now = read(readGroup());
        List<Note> found =
                rules.stream().flatMap(rule -> rule.notes(before, now)).toList();
        log(found, now.status.isReady());
        notes = found.stream().map(Note::text).toList();
        before = now;
    }

    /**
     * As it is now, where it is stable, and this instance in it: members of before it joined may be those of a life
     * that has ended. Else as it was when it was so last.
     */
    private Optional<GroupStatus> readGroup() throws InterruptedException {
        try {
            GroupStatus now = GroupStatus.ask(admin, group, input);
            known = now.lag().isPresent() ? Optional.of(now) : known;
            return now.isStable() && now.running().contains(instance) ? Optional.of(now) : before.group;
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("could not look at the members of the group; cause={}", e.toString());
            return before.group;
        }
    }

    private Reading read(Optional<GroupStatus> stable) {
        List<String> settings = new ArrayList<>(noted.notes());
        settings.addAll(ofTopics.get());
        return new Reading(
                System.nanoTime(),
                status.get(),
                observe(stable.map(now -> now.instances().size()).orElse(0)),
                stable,
                inputTopics,
                noted.startedLast(),
                noted.left(),
                settings,
                counts.disk().note(System.nanoTime()),
                Disk.of(stateFolder),
                SteadyClock.SYSTEM.aheadMillis());
    }

    private DocumentFlow.Observed observe(int instancesNow) {
        return new DocumentFlow.Observed(
                System.nanoTime(),
                counts.sum(ServiceMetric.DOCUMENTS, "unique"),
                counts.sum(ServiceMetric.DOCUMENTS, "duplicate"),
                counts.sum(ServiceMetric.DOCUMENTS, "dead-letter"),
                counts.sum(ServiceMetric.DOCUMENTS_BOUNDED),
                counts.sum(ServiceMetric.ASKED_AGAIN),
                counts.values(ServiceMetric.PENDING).sum(),
                counts.oldestPendingSeconds(SteadyClock.SYSTEM.millis()),
                counts.histogram(ServiceMetric.CANDIDATE_SIMILARITY).snapshot().total(),
                instancesNow,
                counts.waiting().most());
    }

    /** Who leaves says so before it goes. */
    private Stream<Note> missing(Reading now) {
        now.leaving.forEach(name -> instances.leave(name, now.nanos));
        now.group
                .flatMap(stable -> instances.see(stable.instances(), now.nanos))
                .ifPresent(change ->
                        LOG.info("instances={} came={} gone={}", change.left(), change.came(), change.gone()));
        alone = instances.size() == 1;
        missing = instances.missing(now.nanos);
        boolean isLogged = instances.stayAway(now.nanos);
        return instances.fewer(now.nanos).stream()
                .map(text -> isLogged ? Note.warning(Kind.MISSING, text) : Note.unlogged(Kind.MISSING, text));
    }

    private Stream<Note> flow(Reading now) {
        if (!now.status.isReady()) {
            flow.restart(now.flow);
            return flow.kept(now.nanos).stream();
        }
        return flow.notes(now.flow).stream();
    }

    /** Each kind once, as long as it lasts. What waits while this instance is not ready is not known. */
    private void log(List<Note> found, boolean isReady) {
        Set<Kind> now = EnumSet.noneOf(Kind.class);
        if (!isReady) {
            now.addAll(logged);
            now.retainAll(OF_FLOW);
        }
        for (Note note : found) {
            note.level().ifPresent(level -> {
                if (!logged.contains(note.kind)) {
                    LOG.atLevel(level).log(note.text);
                }
                now.add(note.kind);
            });
        }
        if (logged.contains(Kind.STALLED) && !now.contains(Kind.STALLED)) {
            LOG.info("none in flight waits for long any more");
        }
        logged = now;
    }
}
