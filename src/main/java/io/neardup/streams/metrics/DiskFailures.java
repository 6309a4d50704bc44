package io.neardup.streams.metrics;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** What the disk of this instance did not take, or gave back damaged, for operators to see. Thread-safe. */
public final class DiskFailures {
    /** It is tried again much later, and the disk may be well by then. */
    private static final long SEEN_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** A disk that damages more than that does not get better. */
    private static final int RESTORED_MAX = 3;

    private static final long RESTORED_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Map<String, Failure> failures = new ConcurrentHashMap<>();
    private final Deque<Long> restored = new ArrayDeque<>();

    private record Failure(String did, String cause, String advice, long nanos) {}

    /** The instance does without a file. */
    public void failed(Path file, IOException cause) {
        Failure failure = new Failure(
                "did not take " + file,
                cause.toString(),
                "set that right: without it a restart takes longer, or lookups get slower, and when originals or what"
                        + " is new in the buckets cannot be written for long, the service stops",
                System.nanoTime());
        failures.put(file.toString(), failure);
    }

    /** All is well with it again. */
    public void written(Path file) {
        failures.remove(file.toString());
    }

    /**
     * State is damaged. Whether it is to be restored: at most {@value #RESTORED_MAX} times within an hour.
     *
     * @param where it is
     */
    public synchronized boolean mayRestore(String where, String cause, long nowNanos) {
        restored.removeIf(nanos -> nowNanos - nanos > RESTORED_NANOS);
        if (restored.size() >= RESTORED_MAX) {
            return false;
        }
        restored.add(nowNanos);
        Failure failure = new Failure(
                "damaged state",
                where + ": " + cause,
                "it is restored from the changelog, at most " + RESTORED_MAX
                        + " times within an hour, then the service stops: look at that disk",
                nowNanos);
        failures.put(where, failure);
        return true;
    }

    /** The last within ten minutes, in a sentence; mostly nothing. */
    public Optional<String> latest(long nowNanos) {
        failures.values().removeIf(failure -> nowNanos - failure.nanos > SEEN_NANOS);
        return failures.values().stream()
                .max(Comparator.comparingLong(failure -> failure.nanos - nowNanos))
                .map(last -> "the disk of state.dir " + last.did + " "
                        + TimeUnit.NANOSECONDS.toSeconds(nowNanos - last.nanos) + " s ago: " + last.cause + "; "
                        + last.advice);
    }
}
