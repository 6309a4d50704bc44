package io.neardup.service.lifecycle;

import io.neardup.service.cluster.GroupStatus;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.lifecycle.Attention.Kind;
import io.neardup.service.lifecycle.Attention.Note;
import io.neardup.service.lifecycle.Attention.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Time;

/** The rules that need no more than two readings: what is amiss, and what to do. */
final class AttentionRules {
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

    private AttentionRules() {}

    /** In the log {@link io.neardup.service.cluster.TopicWatch} says so. */
    static Stream<Note> brokers(Reading now) {
        return now.status().brokersAnswer() ? Stream.of() : Stream.of(Note.unlogged(Kind.BROKERS, NO_BROKER));
    }

    /** Kafka Streams shares out what all instances read, and no more. For a moment that is so where tasks move. */
    static Stream<Note> unread(Reading before, Reading now) {
        List<Note> earlier = unread(before);
        return unread(now).stream().filter(earlier::contains);
    }

    private static List<Note> unread(Reading now) {
        if (now.group().isEmpty()) {
            return List.of();
        }
        GroupStatus group = now.group().get();
        Set<String> inputs = new TreeSet<>(now.inputTopics());
        Set<String> ofLast = now.startedLast()
                .filter(last -> group.running().contains(last.instance()))
                .map(SettingsTopic.Inputs::topics)
                .orElse(Set.of());
        Set<String> unreadOfOwn = without(inputs, group.assigned());
        Set<String> unreadOfLast = without(without(ofLast, inputs), group.assigned());
        List<Note> found = new ArrayList<>();
        if (!unreadOfOwn.isEmpty()) {
            found.add(Note.warning(
                    Kind.UNREAD,
                    "no instance is assigned the input topics " + unreadOfOwn + " that this one was started with: their"
                            + " documents wait; most likely another was started without them: restart with them each"
                            + " that does not say this"));
        }
        if (!unreadOfLast.isEmpty()) {
            found.add(Note.warning(
                    Kind.UNREAD_OF_LAST,
                    "this instance reads the input topics " + inputs + ", and the one that was started last "
                            + new TreeSet<>(ofLast) + ": no instance is assigned " + unreadOfLast
                            + "; restart those with the wrong neardup.input.topics"));
        }
        return found;
    }

    private static Set<String> without(Set<String> all, Set<String> others) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(others);
        return rest;
    }

    /** That little is left where the state is kept, or nothing may be written there. */
    static Stream<Note> disk(Reading now) {
        return now.disk().flatMap(AttentionRules::disk).stream();
    }

    static Optional<Note> disk(Attention.Disk disk) {
        if (!disk.isWritable()) {
            return Optional.of(Note.warning(
                    Kind.DISK,
                    "the folder of state.dir, " + disk.folder() + ", cannot be written any more: when the service"
                            + " has to write there, it stops; look whether its disk is mounted read-only,"
                            + " and at its rights"));
        }
        long usable = disk.usableBytes();
        boolean isLittle = usable < BYTES_FEW || (usable < SHARE_SMALL * disk.totalBytes() && usable < BYTES_ENOUGH);
        if (!isLittle) {
            return Optional.empty();
        }
        long total = disk.totalBytes() / MEGABYTE;
        String what = usable < MEGABYTE
                ? String.format(Locale.ROOT, "is full, all %,d MB of it: what it writes fails, and", total)
                : String.format(Locale.ROOT, "has %,d MB left of %,d: when it is full", usable / MEGABYTE, total);
        return Optional.of(Note.warning(
                Kind.DISK, "the disk of state.dir, " + disk.folder() + ", " + what + " the service stops; make room"));
    }

    /** That the clock of the host was set back while the service runs, be it by mistake or after one. */
    static Stream<Note> clock(Reading now) {
        long ahead = now.clockAheadMillis();
        if (ahead < AHEAD_MILLIS_MANY) {
            return Stream.of();
        }
        return Stream.of(Note.warning(
                Kind.CLOCK,
                String.format(
                        Locale.ROOT,
                        "the clock of this host is behind that of the service by %,d s: it was set back, or had been"
                                + " ahead; that of the service goes on more slowly until both agree, in %,d min at the"
                                + " latest; nothing is lost. If the host's is right now, a"
                                + " restart takes it at once; else look at its time synchronization",
                        TimeUnit.MILLISECONDS.toSeconds(ahead),
                        TimeUnit.MILLISECONDS.toMinutes(SteadyClock.CATCHING_UP * ahead) + 1)));
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
