package io.neardup.streams.metrics;

import io.neardup.record.Printable;
import io.neardup.record.Publishers;
import io.neardup.streams.metrics.ServiceCounts.Histogram;
import io.neardup.streams.metrics.SpaceSaving.Counter;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What the documents of each source were: unique, or copies of whom, how long after. Of any number of sources it counts
 * the {@value #MAX} that have the most documents, by {@link SpaceSaving}; what is kept of one counts from when it got
 * its counter. Thread-safe.
 */
public final class Sources {
    /** Metrics have so many of them: each value of a label is a series of its own. */
    public static final int EXPORTED_MAX = 50;

    static final int MAX = 256;
    /** Of one that took a counter over: so many it must have had since, and more than it may have had before. */
    static final int ESTABLISHED_MIN = 200;

    static final int REPEATED_MAX = 8;
    private static final int REPEATED_SHOWN = 3;
    private static final long SHOWN_MILLIS = TimeUnit.DAYS.toMillis(1);
    /** From ten seconds to a week. */
    private static final double[] AFTER_SECONDS = {
        10, 60, 300, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800
    };

    private final SpaceSaving<Figures> counters = new SpaceSaving<>(MAX, Figures::new);

    /**
     * A source, as JSON has it.
     *
     * @param documents that were counted of it
     * @param missedMax at most so many more came before it had a counter
     * @param duplicates among the documents; those that are neither of itself nor of others are of unknown sources
     * @param ofItself duplicates whose original names the same source, or another one of its publisher
     * @param ofOthers duplicates whose original names a source of another publisher
     * @param repeats the other sources that it repeats most, at most {@value #REPEATED_SHOWN}
     * @param afterSeconds the median of how long after their originals the duplicates came, by the timestamps of the
     *     records, estimated from {@code after}; null where that is not known of any
     * @param after how many came up to 10 seconds after their original (before it too), 1, 5, 30 minutes, 1, 3, 6, 12
     *     hours, 1, 2, 7 days, and later
     * @param vanishes that it brings nothing of its own any more; null where it does
     */
    public record Source(
            String name,
            long documents,
            long missedMax,
            long duplicates,
            long ofItself,
            long ofOthers,
            List<Repeated> repeats,
            @Nullable Long afterSeconds,
            List<Long> after,
            @Nullable Vanishing vanishes) {}

    /**
     * That a source vanishes, by the window that showed it.
     *
     * @param sinceMillis when that ended
     * @param documents in it
     * @param ofOthers how many of these repeat other sources
     * @param ofItself how many repeat this one, or another of its publisher
     * @param unique how many are unique
     * @param uniqueBefore the share of unique ones in the windows before; null where there were fewer than three
     * @param repeats whom of the others it repeats most; null where it repeats none
     */
    public record Vanishing(
            long sinceMillis,
            int documents,
            int ofOthers,
            int ofItself,
            int unique,
            @Nullable Double uniqueBefore,
            @Nullable Repeated repeats) {}

    /** How many copies a source has of another. */
    public record Repeated(String name, long duplicates) {}

    private static final class Figures {
        private final SpaceSaving<Boolean> repeated = new SpaceSaving<>(REPEATED_MAX, () -> true);
        private final Histogram after = new Histogram(AFTER_SECONDS);
        private final SourceWindows windows = new SourceWindows();
        private long duplicates;
        private long ofItself;
        private long ofOthers;

        void copy(String source, String original, boolean isOfPublisher, double afterSeconds, long millis) {
            duplicates++;
            if (!Double.isNaN(afterSeconds)) {
                after.add(Math.max(0, afterSeconds), 1);
            }
            if (source.equals(Publishers.UNKNOWN) || original.equals(Publishers.UNKNOWN)) {
                windows.ofUnknown(millis);
            } else if (isOfPublisher || original.equals(source)) {
                ofItself++;
                windows.ofItself(millis);
            } else {
                ofOthers++;
                repeated.add(original);
                windows.ofOther(original, millis);
            }
        }
    }

    /** What a source is counted as: of URLs and hosts the host, without what a terminal takes for commands. */
    public static String nameOf(String source) {
        return source.isEmpty() ? Publishers.UNKNOWN : Printable.of(Publishers.siteOf(source));
    }

    /**
     * Takes a unique document that has left.
     *
     * @param source as {@link #nameOf} has it
     * @param millis when it left
     */
    public synchronized void unique(String source, long millis) {
        counters.add(source).kept.windows.unique(millis);
    }

    /**
     * Takes a duplicate that has left.
     *
     * @param source as {@link #nameOf} has it
     * @param original the source of what it repeats, likewise
     * @param isOfPublisher whether both are of one publisher
     * @param afterSeconds from the timestamp of its original to its own; NaN where one of these is not known
     * @param millis when it left
     */
    public synchronized void copy(
            String source, String original, boolean isOfPublisher, double afterSeconds, long millis) {
        counters.add(source).kept.copy(source, original, isOfPublisher, afterSeconds, millis);
    }

    public synchronized List<Source> most(int max) {
        return counters.most().limit(max).map(Sources::source).toList();
    }

    /**
     * Those with the most documents that are to be shown, most first: of a long tail of sources each has a counter for
     * a moment, and another one the next, and each would be a series of its own.
     */
    public synchronized List<Source> established(int max) {
        return counters.most()
                .filter(counter ->
                        counter.missedMax == 0 || counter.counted() >= Math.max(ESTABLISHED_MIN, counter.missedMax + 1))
                .limit(max)
                .map(Sources::source)
                .toList();
    }

    /** Those that were found to vanish within the last day, the latest first: who was always a mirror is told once. */
    public List<Source> vanishing(long nowMillis) {
        return most(MAX).stream()
                .filter(source -> source.vanishes != null && nowMillis - sinceMillis(source) < SHOWN_MILLIS)
                .sorted(Comparator.comparingLong(Sources::sinceMillis).reversed())
                .toList();
    }

    private static long sinceMillis(Source source) {
        return source.vanishes == null ? Long.MIN_VALUE : source.vanishes.sinceMillis;
    }

    private static Source source(Counter<Figures> counter) {
        Figures kept = counter.kept;
        Histogram.Snapshot after = kept.after.snapshot();
        return new Source(
                counter.name,
                counter.counted(),
                counter.missedMax,
                kept.duplicates,
                kept.ofItself,
                kept.ofOthers,
                kept.repeated
                        .most()
                        .limit(REPEATED_SHOWN)
                        .map(other -> new Repeated(other.name, other.counted()))
                        .toList(),
                median(after),
                LongStream.of(after.counts()).boxed().toList(),
                counter.name.equals(Publishers.UNKNOWN)
                        ? null
                        : kept.windows.vanishing().orElse(null));
    }

    /** Within its bucket as if that were filled evenly; a week where it is longer. */
    private static @Nullable Long median(Histogram.Snapshot values) {
        double half = values.total() / 2.0;
        double below = 0;
        for (int i = 0; i < values.bounds().length; i++) {
            long inside = values.counts()[i];
            if (inside > 0 && below + inside >= half) {
                double low = i == 0 ? 0 : values.bounds()[i - 1];
                return Math.round(low + (values.bounds()[i] - low) * (half - below) / inside);
            }
            below += inside;
        }
        return values.total() == 0 ? null : (long) values.bounds()[values.bounds().length - 1];
    }
}
