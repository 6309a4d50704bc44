package io.neardup.tools.audit;

/** The span of the timestamps that came in: what is so old that it may be forgotten by the end of it. */
final class EventTimes {
    private long lastMillis = Long.MIN_VALUE;
    private long firstMillis = Long.MAX_VALUE;

    void see(long timestampMillis, long nowMillis) {
        lastMillis = Math.max(lastMillis, Math.min(timestampMillis, nowMillis));
        firstMillis = Math.min(firstMillis, timestampMillis);
    }

    /**
     * Whether a document of this timestamp is remembered up to the end, for certain: the clock of no coordinator is
     * beyond the last timestamp. One that is stamped ahead counts as of the clock of its moment, which was behind the
     * first.
     *
     * @param retentionMillis {@link Long#MAX_VALUE} for ever
     */
    boolean isRemembered(long timestampMillis, long retentionMillis) {
        long sinceMillis = timestampMillis <= lastMillis ? timestampMillis : firstMillis;
        return retentionMillis == Long.MAX_VALUE || sinceMillis >= lastMillis - retentionMillis;
    }
}
