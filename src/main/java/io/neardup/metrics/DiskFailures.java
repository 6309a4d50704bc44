package io.neardup.metrics;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Files that this instance does without, as the disk did not take them, and is to tell of. Thread-safe. */
public final class DiskFailures {
    /** It is tried again much later, and the disk may be well by then. */
    private static final long TOLD_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Map<Path, Failure> failures = new ConcurrentHashMap<>();

    private record Failure(String cause, long nanos) {}

    public void failed(Path file, IOException cause) {
        failures.put(file, new Failure(cause.toString(), System.nanoTime()));
    }

    /** All is well with it again. */
    public void written(Path file) {
        failures.remove(file);
    }

    /** The last within ten minutes, in a sentence; mostly nothing. */
    public Optional<String> note(long nowNanos) {
        failures.values().removeIf(failure -> nowNanos - failure.nanos > TOLD_NANOS);
        return failures.entrySet().stream()
                .max(Comparator.comparingLong(failure -> failure.getValue().nanos - nowNanos))
                .map(last -> "the disk of state.dir did not take " + last.getKey() + " "
                        + TimeUnit.NANOSECONDS.toSeconds(nowNanos - last.getValue().nanos) + " s ago: "
                        + last.getValue().cause + "; set that right: a restart takes longer without it, and when"
                        + " originals cannot be written either, the service stops");
    }
}
