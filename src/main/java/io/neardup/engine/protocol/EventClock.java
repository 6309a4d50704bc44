package io.neardup.engine.protocol;

import java.util.PriorityQueue;

/**
 * The event time of a coordinator: the {@value #WITNESSES}th highest timestamp of its documents, so that a few absurd
 * ones do not move it, and never after the present. It does not go back.
 */
final class EventClock {
    static final int WITNESSES = 5;

    private final PriorityQueue<Long> highest = new PriorityQueue<>();
    private long millis;

    /** @param millis where it stood before, 0 at the very first */
    EventClock(long millis) {
        this.millis = millis;
    }

    /** Takes the timestamp of a document, at least 0. */
    void see(long timestampMillis, long nowMillis) {
        long seen = Math.min(timestampMillis, nowMillis);
        if (highest.size() < WITNESSES) {
            highest.add(seen);
        } else if (seen > highest.element()) {
            highest.remove();
            highest.add(seen);
        }
        if (highest.size() == WITNESSES) {
            millis = Math.max(millis, highest.element());
        }
    }

    /** It stands at least here. */
    void advanceTo(long eventMillis) {
        millis = Math.max(millis, eventMillis);
    }

    /** Milliseconds since 1970; 0 while too few documents were seen to tell. */
    long millis() {
        return millis;
    }

    /** A timestamp, but not ahead of this clock where it stands anywhere; then not ahead of the present. */
    long clamp(long timestampMillis, long nowMillis) {
        return Math.min(timestampMillis, millis > 0 ? millis : nowMillis);
    }
}
