package io.neardup.engine.protocol;

/**
 * How long originals are remembered, by event time.
 *
 * @param millis after its timestamp an original is forgotten; {@link Long#MAX_VALUE} for never
 * @param refresh whether the time counts from when the original was last repeated
 */
public record Retention(long millis, boolean refresh) {
    public static final Retention FOREVER = new Retention(Long.MAX_VALUE, false);

    public Retention {
        if (millis < 1) {
            throw new IllegalArgumentException("expected at least 1 ms, found " + millis);
        }
    }

    boolean isForever() {
        return millis == Long.MAX_VALUE;
    }

    /** The youngest timestamp that has expired; below 0 where none has. */
    long expiredMax(long eventMillis) {
        return isForever() ? -1 : eventMillis - millis;
    }
}
