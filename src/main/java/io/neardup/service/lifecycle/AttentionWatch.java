package io.neardup.service.lifecycle;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.InstanceName;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.lifecycle.Attention.Kind;
import io.neardup.service.lifecycle.Attention.Observed;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.GroupState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Tells the operator what to look at: in the log when it begins and ends, and to who asks while it lasts. */
final class AttentionWatch {
    static final long EVERY_MILLIS = 5_000;
    private static final Logger LOG = LoggerFactory.getLogger(AttentionWatch.class);
    private static final long ANSWER_SECONDS = 5;
    private static final String NO_BROKER =
            "no broker answers; it goes on when one does; look at the brokers and at the"
                    + " end of their logs: a crash or a full disk ends one";

    private final Admin admin;
    private final String group;
    private final List<String> inputTopics;
    private final ServiceCounts counts;
    private final Supplier<ServiceStatus> status;
    private final Supplier<List<String>> toldInLog;
    private final SettingsWatch noted;
    private final StateDisk disk;
    private final FenceNotice fences;
    private final Attention attention = new Attention();
    private final Instances instances = new Instances();
    private Set<Kind> told = Set.of();
    private boolean toldMissing;
    private boolean toldDisk;
    private List<String> unread = List.of();
    private List<String> unreadBefore = List.of();
    private List<String> toldUnread = List.of();
    private boolean toldClock;
    private volatile List<String> notes = List.of();
    private volatile int missing;
    private volatile boolean alone;

    /**
     * A watch of an instance.
     *
     * @param toldInLog what the log has already
     * @param noted what other instances say
     * @param disk of the state of this instance
     */
    AttentionWatch(
            Admin admin,
            NeardupConfig config,
            ServiceCounts counts,
            Supplier<ServiceStatus> status,
            Supplier<List<String>> toldInLog,
            SettingsWatch noted,
            StateDisk disk,
            FenceNotice fences) {
        this.admin = admin;
        this.group = config.applicationId();
        this.inputTopics = config.inputTopics();
        this.counts = counts;
        this.status = status;
        this.toldInLog = toldInLog;
        this.noted = noted;
        this.disk = disk;
        this.fences = fences;
        ClockNotice.ofClassPath().ifPresent(LOG::warn);
        attention.restart(observe());
    }

    /** What to look at now, a sentence each. */
    List<String> notes() {
        return notes;
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
        try {
            lookAtInstances();
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("could not look at the members of the group; cause={}", e.toString());
        }
        List<String> found = new ArrayList<>(lookAtBrokers());
        found.addAll(toldInLog.get());
        found.addAll(lookAtUnread());
        found.addAll(lookAtMissing(System.nanoTime()));
        found.addAll(lookAtDisk());
        // The log has it already.
        found.addAll(counts.disk().note(System.nanoTime()).stream().toList());
        found.addAll(lookAtClock());
        found.addAll(lookAtFigures());
        found.addAll(fences.note(System.nanoTime()).stream().toList());
        notes = List.copyOf(found);
    }

    /** Who leaves tells it before it goes. */
    private void lookAtInstances() throws ExecutionException, InterruptedException, TimeoutException {
        noted.left().forEach(name -> instances.leave(name, System.nanoTime()));
        ConsumerGroupDescription described = Objects.requireNonNull(
                        admin.describeConsumerGroups(List.of(group))
                                .describedGroups()
                                .get(group),
                        group)
                .get(ANSWER_SECONDS, TimeUnit.SECONDS);
        if (described.groupState() != GroupState.STABLE) {
            return;
        }
        Set<String> names = new TreeSet<>();
        Set<String> running = new HashSet<>();
        Set<String> assigned = new HashSet<>();
        described.members().forEach(member -> {
            names.add(name(member));
            running.add(InstanceName.of(member.clientId()));
            member.assignment().topicPartitions().forEach(read -> assigned.add(read.topic()));
        });
        Set<String> inputsOfLast = noted.startedLast()
                .filter(last -> running.contains(last.instance()))
                .map(SettingsTopic.Inputs::topics)
                .orElse(Set.of());
        unread = unread(assigned, inputsOfLast);
        alone = names.size() == 1;
        instances.see(names, System.nanoTime()).ifPresent(change -> {
            LOG.info("instances={} came={} gone={}", change.left(), change.came(), change.gone());
            toldMissing = toldMissing && change.gone().isEmpty();
        });
    }

    /** Kafka Streams shares out what all instances read, and no more. */
    private List<String> unread(Set<String> assigned, Set<String> inputsOfLast) {
        Set<String> own = new TreeSet<>(inputTopics);
        own.removeAll(assigned);
        Set<String> ofLast = new TreeSet<>(inputsOfLast);
        ofLast.removeAll(inputTopics);
        ofLast.removeAll(assigned);
        List<String> found = new ArrayList<>();
        if (!own.isEmpty()) {
            found.add("no instance is assigned the input topics " + own + " that this one was started with: their"
                    + " documents wait; most likely another was started without them: restart with them each that does"
                    + " not say this");
        }
        if (!ofLast.isEmpty()) {
            found.add("this instance reads the input topics " + new TreeSet<>(inputTopics)
                    + ", and the one that was started last " + new TreeSet<>(inputsOfLast)
                    + ": no instance is assigned " + ofLast
                    + "; restart those with the wrong neardup.input.topics");
        }
        return found;
    }

    /** What the last look found, too: for a moment that is so where tasks move. */
    private List<String> lookAtUnread() {
        List<String> lasting = unread.stream().filter(unreadBefore::contains).toList();
        unreadBefore = unread;
        lasting.stream().filter(note -> !toldUnread.contains(note)).forEach(LOG::warn);
        toldUnread = lasting;
        return lasting;
    }

    private List<String> lookAtMissing(long nowNanos) {
        missing = instances.missing(nowNanos);
        List<String> note = instances.fewer(nowNanos).stream().toList();
        if (instances.stayAway(nowNanos) && !toldMissing) {
            note.forEach(LOG::warn);
            toldMissing = true;
        } else if (note.isEmpty()) {
            toldMissing = false;
        }
        return note;
    }

    private static String name(MemberDescription member) {
        return Instances.called(InstanceName.of(member.clientId()), member.host());
    }

    /** In the log TopicWatch says so. */
    private List<String> lookAtBrokers() {
        return status.get().brokersAnswer() ? List.of() : List.of(NO_BROKER);
    }

    private List<String> lookAtDisk() {
        List<String> note = disk.note().stream().toList();
        if (!note.isEmpty() && !toldDisk) {
            note.forEach(LOG::warn);
        }
        toldDisk = !note.isEmpty();
        return note;
    }

    private List<String> lookAtClock() {
        List<String> note =
                ClockNotice.note(SteadyClock.SYSTEM.aheadMillis()).stream().toList();
        if (!note.isEmpty() && !toldClock) {
            note.forEach(LOG::warn);
        }
        toldClock = !note.isEmpty();
        return note;
    }

    private List<String> lookAtFigures() {
        Observed now = observe();
        if (!status.get().isReady()) {
            attention.restart(now);
            return List.copyOf(attention.kept(now.nanos()).values());
        }
        Map<Kind, String> found = attention.notes(now);
        tell(found);
        return List.copyOf(found.values());
    }

    private Observed observe() {
        return new Observed(
                System.nanoTime(),
                counts.sum(ServiceMetric.DOCUMENTS, "unique"),
                counts.sum(ServiceMetric.DOCUMENTS, "duplicate"),
                counts.sum(ServiceMetric.DOCUMENTS, "dead-letter"),
                counts.sum(ServiceMetric.DOCUMENTS_BOUNDED, ""),
                counts.sum(ServiceMetric.ASKED_AGAIN, ""),
                counts.values(ServiceMetric.PENDING).sum(),
                counts.oldestPendingSeconds(SteadyClock.SYSTEM.millis()),
                counts.histogram(ServiceMetric.CANDIDATE_SIMILARITY).snapshot().total(),
                instances.size(),
                counts.waiting().most());
    }

    private void tell(Map<Kind, String> found) {
        found.forEach((kind, note) -> {
            if (!told.contains(kind)) {
                LOG.atLevel(kind == Kind.STALLED ? Level.WARN : Level.INFO).log(note);
            }
        });
        if (told.contains(Kind.STALLED) && !found.containsKey(Kind.STALLED)) {
            LOG.info("none in flight waits for long any more");
        }
        told = Set.copyOf(found.keySet());
    }
}
