package io.neardup.service.migration;

import io.neardup.service.cluster.CommittedRecords.Span;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * Whether a changelog that is followed is read as fast as it must be. Kafka keeps the marker of a removal for a while
 * alone: whoever has read the original before, and comes back later than that, would keep it without a word.
 *
 * <p>So now and then it is noted where the changelog ends, and when all before that is read, that it was so then.
 */
final class FollowedPace {
    private static final Duration NOTED = Duration.ofHours(1);

    private final Duration markersKept;
    private long readMillis = Long.MAX_VALUE;
    private Map<TopicPartition, Long> aim = Map.of();
    private long aimMillis;

    /** @param markersKept how long at least, from when they are written */
    FollowedPace(Duration markersKept) {
        this.markersKept = markersKept;
    }

    /** It was noted that all that was written by this time is read, or that nothing was read before. */
    void noted(long atMillis) {
        readMillis = atMillis;
    }

    /** Whether a marker may be gone that was not read. */
    boolean isTooLate(long nowMillis) {
        return nowMillis - readMillis > markersKept.toMillis() && readMillis < nowMillis;
    }

    /** All that was written by then is read. */
    long readMillis() {
        return readMillis;
    }

    /**
     * What must be read before there is something to note.
     *
     * @param nowMillis from before it was asked for the ends
     * @param ends of the changelog
     * @param read up to where it is read; none where nothing is
     * @return empty where it is not time yet; an empty map where all is read
     */
    Optional<Map<TopicPartition, Span>> rest(
            long nowMillis, Map<TopicPartition, Long> ends, Map<TopicPartition, Long> read) {
        if (aim.isEmpty()) {
            if (nowMillis - readMillis < NOTED.toMillis() || nowMillis < readMillis) {
                return Optional.empty();
            }
            aim = Map.copyOf(ends);
            aimMillis = nowMillis;
        }
        Map<TopicPartition, Span> rest = new HashMap<>();
        aim.forEach((partition, end) -> {
            long position = read.getOrDefault(partition, 0L);
            if (position < end) {
                rest.put(partition, new Span(position, end));
            }
        });
        return Optional.of(rest);
    }

    /** The rest is read: returns the time to note. */
    long reach() {
        aim = Map.of();
        return aimMillis;
    }
}
