package io.neardup.service.lifecycle;

import io.neardup.streams.metrics.ServiceCounts.WaitingSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** That documents wait, and for whom, by the figures of the last {@value #WINDOW_SECONDS} s. */
final class FlowAlerts {
    /** Half a second is usual, and an answer that was lost is asked for again after 10 s. */
    static final int WINDOW_SECONDS = 60;

    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(WINDOW_SECONDS);
    /** Of so many pairs a minute, and for each record that leaves, comparing is what takes the time. */
    private static final long PAIRS_MANY = 10_000;

    private static final long PAIRS_A_RECORD_MANY = 100;

    private final Deque<Observed> samples = new ArrayDeque<>();

    /**
     * Totals of this instance at one moment.
     *
     * @param left records that have left
     * @param pending records in flight
     * @param oldestSeconds how long the oldest of these is
     * @param pairs met in a bucket, and compared by their sketches
     * @param waiting of which source most of those are that wait for long
     */
    record Observed(
            long nanos,
            long left,
            long askedAgain,
            long pending,
            double oldestSeconds,
            long pairs,
            Optional<WaitingSource> waiting) {}

    /** Forgets what was, as where no broker answers or tasks move: that says nothing of documents. */
    void restart() {
        samples.clear();
    }

    /** Takes what is now: what is wrong by that and by what was. What waited for brokers has half a minute to leave. */
    Optional<String> note(Observed now) {
        samples.addLast(now);
        while (now.nanos - samples.getFirst().nanos > WINDOW_NANOS) {
            samples.removeFirst();
        }
        Observed then = samples.getFirst();
        return now.oldestSeconds < WINDOW_SECONDS || now.nanos - then.nanos < WINDOW_NANOS / 2
                ? Optional.empty()
                : Optional.of(stalled(then, now));
    }

    private static String stalled(Observed then, Observed now) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(now.nanos - then.nanos);
        long left = now.left - then.left;
        long pairs = now.pairs - then.pairs;
        String figures = String.format(
                Locale.ROOT,
                "of %,d records in flight the oldest has waited for %.0f s; in the last %d s %,d left, %,d times one"
                        + " asked again, and %,d pairs were compared",
                now.pending,
                now.oldestSeconds,
                seconds,
                left,
                now.askedAgain - then.askedAgain,
                pairs);
        return pairs * WINDOW_SECONDS >= PAIRS_MANY * seconds && pairs >= PAIRS_A_RECORD_MANY * left
                ? "more documents that are alike come in than can be compared: hold back " + whom(now) + "; " + figures
                : figures + "; look whether the other instances and the brokers are well";
    }

    private static String whom(Observed now) {
        return now.waiting
                .map(most -> String.format(
                        Locale.ROOT,
                        "the source %s, of which %,d of %,d are that wait",
                        most.name(),
                        most.records(),
                        most.lookedAt()))
                .orElse("the producer that floods, whose source neardup.source would name");
    }
}
