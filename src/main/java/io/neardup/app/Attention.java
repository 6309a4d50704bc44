package io.neardup.app;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What the figures of the last minute tell that somebody should look at: documents wait, much repeats, much looks
 * alike. Takes what is {@link Observed} now and then, and keeps that of the last {@value #WINDOW_SECONDS} s.
 */
final class Attention {
    static final int WINDOW_SECONDS = 60;
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(WINDOW_SECONDS);
    /** Of fewer records in a window no share is told. */
    private static final long RECORDS_MIN = 1_000;

    private static final double DUPLICATES_MANY = 0.8;
    private static final double BOUNDED_MANY = 0.3;
    /** Of so many pairs a minute, and for each record that leaves, comparing is what takes the time. */
    private static final long PAIRS_MANY = 10_000;

    private static final long PAIRS_A_RECORD_MANY = 100;

    private final Deque<Observed> samples = new ArrayDeque<>();

    /** What is wrong. */
    enum Kind {
        STALLED,
        DUPLICATES,
        BOUNDED
    }

    /**
     * Totals of this instance at one moment.
     *
     * @param bounded unique documents of which a bound left out candidates
     * @param pending records in flight
     * @param oldestSeconds how long the oldest of these is
     * @param pairs met in a bucket, and compared by their sketches
     * @param instances of the group
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
            int instances) {

        private long left() {
            return unique + duplicates + deadLetters;
        }
    }

    /**
     * Forgets what was, as where no broker answers or tasks move: that tells nothing of documents. What leaves from now
     * on counts, also what has left by the next look.
     */
    void restart(Observed now) {
        samples.clear();
        samples.addLast(now);
    }

    /** Takes what is now; what it tells with what was, a sentence each, without ids or texts. */
    Map<Kind, String> notes(Observed now) {
        samples.addLast(now);
        while (now.nanos - samples.getFirst().nanos > WINDOW_NANOS) {
            samples.removeFirst();
        }
        Map<Kind, String> notes = new EnumMap<>(Kind.class);
        Observed then = samples.getFirst();
        addStalled(then, now, notes);
        addDuplicates(now.duplicates - then.duplicates, now.left() - then.left(), notes);
        addBounded(now.bounded - then.bounded, now.unique - then.unique, notes);
        return notes;
    }

    /** Half a second is usual, and each asks again every 10 s. What waited for brokers needs a while to leave. */
    private static void addStalled(Observed then, Observed now, Map<Kind, String> notes) {
        if (now.oldestSeconds >= WINDOW_SECONDS && now.nanos - then.nanos >= WINDOW_NANOS / 2) {
            notes.put(
                    Kind.STALLED,
                    String.format(
                            Locale.ROOT,
                            "of %,d records in flight the oldest has waited for %.0f s; in the last minute %,d left,"
                                    + " and %,d times one asked again; %s",
                            now.pending,
                            now.oldestSeconds,
                            now.left() - then.left(),
                            now.askedAgain - then.askedAgain,
                            whyStalled(now.left() - then.left(), now.pairs - then.pairs, now.instances)));
        }
    }

    private static String whyStalled(long left, long pairs, int instances) {
        if (pairs >= PAIRS_MANY && pairs >= PAIRS_A_RECORD_MANY * left) {
            return String.format(
                    Locale.ROOT,
                    "%,d pairs were compared: more documents that are alike come in than can be; look at what the"
                            + " producers send, and hold back the one that floods",
                    pairs);
        }
        return instances > 1 ? "look whether the other instances and the brokers are well" : "look at the brokers";
    }

    private static void addDuplicates(long duplicates, long left, Map<Kind, String> notes) {
        if (left >= RECORDS_MIN && duplicates >= DUPLICATES_MANY * left) {
            notes.put(
                    Kind.DUPLICATES,
                    String.format(
                            Locale.ROOT,
                            "%.0f%% of the %,d records that left in the last minute are duplicates: a producer sends"
                                    + " copies, or the same once more; the latest duplicates on the page tell of what,"
                                    + " its sources of whom (neardup.http.source)",
                            Math.floor(100.0 * duplicates / left),
                            left));
        }
    }

    private static void addBounded(long bounded, long unique, Map<Kind, String> notes) {
        if (unique >= RECORDS_MIN && bounded >= BOUNDED_MANY * unique) {
            notes.put(
                    Kind.BOUNDED,
                    String.format(
                            Locale.ROOT,
                            "many of the %,d unique documents of the last minute look alike, as those of one template:"
                                    + " %,d times a bound left out candidates, so duplicates among them may be missed;"
                                    + " look at what the producers send",
                            unique,
                            bounded));
        }
    }
}
