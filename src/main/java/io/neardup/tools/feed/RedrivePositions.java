package io.neardup.tools.feed;

import io.neardup.record.Reason;
import java.util.Collection;
import java.util.EnumMap;
import java.util.stream.Collectors;

/**
 * Up to where dead letters of a partition are dealt with, for each reason: offsets. They are kept as the metadata of an
 * offset, as {@code code=offset} with spaces between: 18 reasons take 700 bytes of the 4,096 that a cluster allows.
 */
final class RedrivePositions {
    private final EnumMap<Reason, Long> next = new EnumMap<>(Reason.class);

    /** Nothing is dealt with. */
    RedrivePositions() {}

    /** As they were kept; what is not known of this release is left out. */
    static RedrivePositions of(String metadata) {
        RedrivePositions positions = new RedrivePositions();
        for (String entry : metadata.split(" ", -1)) {
            int equals = entry.indexOf('=');
            if (equals > 0) {
                Reason.ofCode(entry.substring(0, equals))
                        .ifPresent(reason -> positions.next.put(reason, Long.parseLong(entry.substring(equals + 1))));
            }
        }
        return positions;
    }

    /** The first offset that is not dealt with for a reason. */
    long next(Reason reason) {
        return next.getOrDefault(reason, 0L);
    }

    /** The first offset that is not dealt with for one of them. */
    long first(Collection<Reason> reasons) {
        return reasons.stream().mapToLong(this::next).min().orElse(0);
    }

    /** All before the offset is dealt with. */
    void advance(Collection<Reason> reasons, long offset) {
        reasons.forEach(reason -> next.merge(reason, offset, Math::max));
    }

    /** The furthest. */
    long last() {
        return next.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    String metadata() {
        return next.entrySet().stream()
                .map(entry -> entry.getKey().code() + "=" + entry.getValue())
                .collect(Collectors.joining(" "));
    }
}
