package io.neardup.service.lifecycle;

import io.neardup.service.lifecycle.Alerts.Alert;
import io.neardup.service.lifecycle.Alerts.Kind;
import io.neardup.streams.metrics.ServiceCounts.WaitingSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What by the figures of the last minute somebody should look at: documents wait, much repeats, much looks
 * alike. Takes what is {@link Observed} now and then, and keeps that of the last {@value #WINDOW_SECONDS} s.
 */
final class FlowAlerts {
    static final int WINDOW_SECONDS = 60;
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(WINDOW_SECONDS);
    /** Of fewer records in a window no share is reported. */
    private static final long RECORDS_MIN = 1_000;

    /** Where nothing at all leaves, it is reported so early: an answer that was lost is asked for again after 10 s. */
    private static final int QUIET_SECONDS = 20;

    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(QUIET_SECONDS);

    private static final double DUPLICATES_MANY = 0.8;
    private static final double BOUNDED_MANY = 0.3;
    /** Of so many pairs a minute, and for each record that leaves, comparing is what takes the time. */
    private static final long PAIRS_MANY = 10_000;

    private static final long PAIRS_A_RECORD_MANY = 100;

    /** What was reported of a flood is reported on for so long, where figures begin anew. */
    private static final long FLOOD_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final Deque<Observed> samples = new ArrayDeque<>();
    private @Nullable Flood flood;
    private long restartedNanos;

    /** That look-alikes took all the time, as it was reported last. */
    private record Flood(long nanos, Kind kind, String note, boolean isBeforeRestart) {}

    /**
     * Totals of this instance at one moment.
     *
     * @param bounded unique documents whose candidates a bound truncated
     * @param pending records in flight
     * @param oldestSeconds how long the oldest of these is
     * @param pairs met in a bucket, and compared by their sketches
     * @param instances of the group
     * @param waiting of which source most of those are that wait for long
     */
    record Observed(
            long nanos,
            long unique,
            long duplicates,
            long deadLetters,
            long bounded,
            long askedAgain,
            long pending,
            double oldestSeconds,
            long pairs,
            int instances,
            Optional<WaitingSource> waiting) {

        private long left() {
            return unique + duplicates + deadLetters;
        }
    }

    /**
     * Forgets what was, as where no broker answers or tasks move: that says nothing of documents. What leaves from now
     * on counts, also what has left by the next look.
     */
    void restart(Observed now) {
        samples.clear();
        samples.addLast(now);
        restartedNanos = now.nanos;
        flood = flood == null ? null : new Flood(flood.nanos, flood.kind, flood.note, true);
    }

    /**
     * What was reported of a flood, while the figures since the last restart are too few to show whether it goes on:
     * what waits is taken anew then, and so is its age.
     */
    Optional<Alert> kept(long nowNanos) {
        boolean isOpen = flood != null
                && flood.isBeforeRestart
                && nowNanos - restartedNanos <= WINDOW_NANOS
                && nowNanos - flood.nanos <= FLOOD_NANOS;
        if (flood == null || !isOpen) {
            return Optional.empty();
        }
        long secondsAgo = TimeUnit.NANOSECONDS.toSeconds(nowNanos - flood.nanos);
        return Optional.of(new Alert(
                flood.kind,
                secondsAgo + " s ago, before tasks of this instance were given up or moved: " + flood.note));
    }

    /** Takes what is now: what is wrong by that and by what was. */
    List<Alert> notes(Observed now) {
        samples.addLast(now);
        while (now.nanos - samples.getFirst().nanos > WINDOW_NANOS) {
            samples.removeFirst();
        }
        List<Alert> notes = new ArrayList<>();
        Observed then = samples.getFirst();
        if (now.oldestSeconds >= WINDOW_SECONDS && now.nanos - then.nanos >= WINDOW_NANOS / 2) {
            notes.add(stalled(Kind.STALLED, then, now));
        } else if (now.oldestSeconds >= QUIET_SECONDS) {
            before(now.nanos - QUIET_NANOS)
                    .filter(quiet -> quiet.left() == now.left() || isComparing(quiet, now))
                    .ifPresent(quiet -> notes.add(stalled(Kind.WAITING, quiet, now)));
        }
        if (notes.isEmpty()) {
            kept(now.nanos).ifPresent(notes::add);
            flood = notes.isEmpty() ? null : flood;
        }
        addDuplicates(now.duplicates - then.duplicates, now.left() - then.left(), notes);
        addBounded(now.bounded - then.bounded, now.unique - then.unique, notes);
        return notes;
    }

    private Alert stalled(Kind kind, Observed then, Observed now) {
        String text = stalled(then, now);
        flood = isComparing(then, now) ? new Flood(now.nanos, kind, text, false) : null;
        return new Alert(kind, text);
    }

    /** The latest look that is at least so old. */
    private Optional<Observed> before(long nanos) {
        return samples.stream().filter(sample -> sample.nanos - nanos <= 0).reduce((earlier, later) -> later);
    }

    /** Half a second is usual, and each asks again every 10 s. What waited for brokers needs a while to leave. */
    private static String stalled(Observed then, Observed now) {
        String span = now.nanos - then.nanos >= WINDOW_NANOS / 2
                ? "minute"
                : TimeUnit.NANOSECONDS.toSeconds(now.nanos - then.nanos) + " s";
        String figures = Alerts.text(
                "of %,d records in flight the oldest has waited for %.0f s; in the last %s %,d left, and %,d times one"
                        + " asked again",
                now.pending, now.oldestSeconds, span, now.left() - then.left(), now.askedAgain - then.askedAgain);
        if (isComparing(then, now)) {
            return flooded(now) + figures + Alerts.text(", and %,d pairs were compared", pairs(then, now));
        }
        String others = now.instances > 1 ? "whether the other instances and the brokers are well" : "at the brokers";
        return figures + "; look " + others;
    }

    private static boolean isComparing(Observed then, Observed now) {
        return pairs(then, now) >= PAIRS_MANY && pairs(then, now) >= PAIRS_A_RECORD_MANY * (now.left() - then.left());
    }

    private static long pairs(Observed then, Observed now) {
        return now.pairs - then.pairs;
    }

    /** Who, and what to do, before all figures. */
    private static String flooded(Observed now) {
        return "more documents that are alike come in than can be compared: "
                + now.waiting
                        .map(most -> Alerts.text(
                                "hold back the source %s, of which %,d of %,d are that wait; ",
                                most.name(), most.records(), most.lookedAt()))
                        .orElse("hold back the producer that floods, whose source neardup.source would name; ");
    }

    private static void addDuplicates(long duplicates, long left, List<Alert> notes) {
        if (left >= RECORDS_MIN && duplicates >= DUPLICATES_MANY * left) {
            String text = Alerts.text(
                    "%.0f%% of the %,d records that left in the last minute are duplicates: a producer sends"
                            + " copies, or the same once more; the latest duplicates on the page tell of what,"
                            + " its sources of whom (neardup.source)",
                    Math.floor(100.0 * duplicates / left), left);
            notes.add(new Alert(Kind.DUPLICATES, text));
        }
    }

    private static void addBounded(long bounded, long unique, List<Alert> notes) {
        if (unique >= RECORDS_MIN && bounded >= BOUNDED_MANY * unique) {
            String text = Alerts.text(
                    "many of the %,d unique documents of the last minute look alike, as those of one template:"
                            + " %,d times a bound truncated the candidates, so duplicates among them may be missed;"
                            + " look at what the producers send",
                    unique, bounded);
            notes.add(new Alert(Kind.BOUNDED, text));
        }
    }
}
