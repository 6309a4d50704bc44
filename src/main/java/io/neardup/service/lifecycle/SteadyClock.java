package io.neardup.service.lifecycle;

import java.util.function.LongSupplier;

/**
 * A time of day that never runs backwards and never stands still, for deadlines and ages. It is that of the host's
 * clock. Where that one is set back, it goes on by the clock that measures time alone, at three quarters of its speed,
 * until the host's has caught up: deadlines still come, a third later, so that heartbeats are in time, and what was
 * stamped ahead of other hosts does not stay so. A step forward it follows at once, as time that has passed while a
 * machine was suspended.
 */
public final class SteadyClock {
    public static final SteadyClock SYSTEM = new SteadyClock(System::currentTimeMillis, System::nanoTime);

    /** After the host's clock is set back by S, both agree again after 4 S: this one runs at 3/4 of its speed. */
    static final int CATCHING_UP = 4;

    private static final long NANOS_A_MILLI = 1_000_000L * CATCHING_UP / (CATCHING_UP - 1);

    private final LongSupplier wallMillis;
    private final LongSupplier nanos;
    private volatile Reading ahead;

    /** Marks the stand-in for Kafka's SystemTime, so that a start sees whether it is in use. */
    public interface Reader {}

    /** The last time at which the host's clock was ahead of this one. */
    private record Reading(long millis, long nanos) {
        long slowed(long nowNanos) {
            return millis + Math.max(0, nowNanos - nanos) / NANOS_A_MILLI;
        }
    }

    /**
     * @param wallMillis the host's clock, which may be set
     * @param nanos that which measures time, from any beginning
     */
    SteadyClock(LongSupplier wallMillis, LongSupplier nanos) {
        this.wallMillis = wallMillis;
        this.nanos = nanos;
        this.ahead = new Reading(wallMillis.getAsLong(), nanos.getAsLong());
    }

    /** Now, in milliseconds since 1970. */
    public long millis() {
        // The host's clock first: whoever is late between the two adds no time.
        long wall = wallMillis.getAsLong();
        long nowNanos = nanos.getAsLong();
        long slowed = ahead.slowed(nowNanos);
        return wall > slowed ? later(new Reading(wall, nowNanos)) : slowed;
    }

    private synchronized long later(Reading next) {
        if (next.millis > ahead.slowed(next.nanos)) {
            ahead = next;
        }
        return ahead.slowed(next.nanos);
    }
}
