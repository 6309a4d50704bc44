package io.neardup.tools.local;

import java.util.ArrayDeque;
import java.util.Deque;

/** The rate of a growing count over the last seconds. Not thread-safe. */
final class RateMeter {
    private static final long WINDOW_NANOS = 3_000_000_000L;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Deque<Sample> samples = new ArrayDeque<>();

    private record Sample(long nanos, long count) {}

    /**
     * Takes a sample.
     *
     * @return events per second since the oldest sample of the last 3 seconds
     */
    double sample(long nanos, long count) {
        samples.addLast(new Sample(nanos, count));
        while (samples.size() > 2 && nanos - samples.getFirst().nanos > WINDOW_NANOS) {
            samples.removeFirst();
        }
        Sample oldest = samples.getFirst();
        long passed = nanos - oldest.nanos;
        return passed > 0 ? (count - oldest.count) * NANOS_PER_SECOND / passed : 0;
    }
}
