package io.neardup.streams.topology;

import java.time.Duration;
import java.util.function.LongConsumer;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;

/**
 * Something to do at intervals of the wall clock, as long as it is asked for. Streams commits after each punctuation:
 * one that went on while nothing happens would make an idle service commit for ever.
 */
final class ScheduledWork {
    private final ProcessorContext<?, ?> context;
    private final Duration interval;
    private final LongConsumer action;
    private @Nullable Cancellable scheduled;
    private boolean requested;

    /** @param action takes the time in milliseconds */
    ScheduledWork(ProcessorContext<?, ?> context, Duration interval, LongConsumer action) {
        this.context = context;
        this.interval = interval;
        this.action = action;
    }

    /** Asks for it once more, at the end of the interval. */
    void request() {
        requested = true;
        if (scheduled == null) {
            scheduled = context.schedule(interval, PunctuationType.WALL_CLOCK_TIME, this::punctuate);
        }
    }

    /** To be called when the task closes: Streams keeps what is scheduled where it revives a task. */
    void cancel() {
        requested = false;
        if (scheduled != null) {
            scheduled.cancel();
            scheduled = null;
        }
    }

    private void punctuate(long nowMillis) {
        if (requested) {
            requested = false;
            action.accept(nowMillis);
        } else {
            cancel();
        }
    }
}
