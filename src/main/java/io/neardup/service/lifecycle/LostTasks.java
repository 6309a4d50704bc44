package io.neardup.service.lifecycle;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports that a thread lost its tasks or its transaction to others, unless the service ends soon after: a
 * topic that was deleted under it makes threads wait until they are fenced, and so may a stop. The end is logged
 * then, with its cause, and this would lead astray.
 */
final class LostTasks implements Consumer<Exception> {
    private static final Logger LOG = LoggerFactory.getLogger(LostTasks.class);
    /** Longer than two looks at the topics, which end the service, take. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);
    /** One that was logged is to be seen so long. */
    private static final long SEEN_NANOS = TimeUnit.MINUTES.toNanos(10);

    private static final String CAUSE =
            "as the brokers got nothing from it for longer than its session or its transaction lasts; it went on from"
                    + " what is committed. Look for long pauses of this host, its JVM or the brokers";

    private @Nullable Exception unlogged;
    private long fencedNanos;
    /** When those were that were logged of late. */
    private final Deque<Long> logged = new ArrayDeque<>();

    /** Takes note of one; of several within some seconds the first is logged. Any thread may call it. */
    @Override
    public synchronized void accept(Exception cause) {
        if (unlogged == null) {
            unlogged = cause;
            fencedNanos = System.nanoTime();
        }
    }

    /** To be called now and then while the service works: the last of those that are seen, and how many these are. */
    synchronized Optional<String> note(long nowNanos) {
        if (unlogged != null && nowNanos - fencedNanos >= PATIENCE_NANOS) {
            LOG.warn(
                    "a thread lost its tasks to others some seconds ago, " + CAUSE + "; cause={}", unlogged.toString());
            unlogged = null;
            logged.addLast(fencedNanos);
        }
        logged.removeIf(nanos -> nowNanos - nanos > SEEN_NANOS);
        return logged.isEmpty()
                ? Optional.empty()
                : Optional.of(Alerts.text(
                        "a thread lost its tasks to others %d s ago, %s, %s",
                        TimeUnit.NANOSECONDS.toSeconds(nowNanos - logged.getLast()),
                        logged.size() == 1 ? "once in ten minutes" : logged.size() + " times in ten minutes",
                        CAUSE));
    }
}
