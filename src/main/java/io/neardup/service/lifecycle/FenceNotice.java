package io.neardup.service.lifecycle;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the operator that a thread lost its tasks or its transaction to others, unless the service ends soon after: a
 * topic that was deleted under it makes threads wait until they are fenced, and so may a stop. The end is told then,
 * with its cause, and this would lead astray.
 */
final class FenceNotice implements Consumer<Exception> {
    static final long EVERY_MILLIS = 5_000;
    private static final Logger LOG = LoggerFactory.getLogger(FenceNotice.class);
    /** Longer than two looks at the topics, which end the service, take. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);
    /** One that was told is to be seen so long. */
    private static final long SEEN_NANOS = TimeUnit.MINUTES.toNanos(10);

    private static final String CAUSE =
            "as the brokers heard nothing of it for longer than its session or its transaction lasts; it went on from"
                    + " what is committed. Look for long pauses of this host, its JVM or the brokers";

    private @Nullable Exception untold;
    private long fencedNanos;
    /** When those were that were told of late. */
    private final Deque<Long> told = new ArrayDeque<>();

    /** Takes note of one; of several within some seconds the first is told. Any thread may call it. */
    @Override
    public synchronized void accept(Exception cause) {
        if (untold == null) {
            untold = cause;
            fencedNanos = System.nanoTime();
        }
    }

    /** To be called now and then while the service works. */
    synchronized void look() {
        if (untold != null && System.nanoTime() - fencedNanos >= PATIENCE_NANOS) {
            LOG.warn("a thread lost its tasks to others some seconds ago, " + CAUSE + "; cause={}", untold.toString());
            untold = null;
            told.addLast(fencedNanos);
        }
    }

    /** The last of those that were told within ten minutes, and how many these are; mostly nothing. */
    synchronized Optional<String> note(long nowNanos) {
        told.removeIf(nanos -> nowNanos - nanos > SEEN_NANOS);
        return told.isEmpty()
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "a thread lost its tasks to others %d s ago, %s, %s",
                        TimeUnit.NANOSECONDS.toSeconds(nowNanos - told.getLast()),
                        told.size() == 1 ? "once in ten minutes" : told.size() + " times in ten minutes",
                        CAUSE));
    }
}
