package io.neardup.tools.feed;

import io.neardup.record.Reason;
import java.util.Map;

/**
 * What became of dead letters.
 *
 * @param counts by reason, those that occurred; each with what occurred
 * @param foreign records on the topic that are no dead letters of a service of this release
 * @param isStopped whether it was stopped before it had dealt with all
 */
public record RedriveSummary(Map<Reason, Map<LetterOutcome, Long>> counts, long foreign, boolean isStopped) {
    /** What becomes of one. */
    public enum LetterOutcome {
        /** It is on the input again; where nothing is sent, it would be. */
        SENT,
        /** Its value was left out, as the dead-letter topic did not take it. */
        VALUE_LEFT_OUT,
        /** It was sent back as often as it may be. */
        TOO_OFTEN,
        /** It came from a topic that is no input any more. */
        NO_INPUT,
        /** The input does not take it with one header more. */
        TOO_LARGE
    }

    /** Of all reasons. */
    public long of(LetterOutcome outcome) {
        return counts.values().stream()
                .mapToLong(count -> count.getOrDefault(outcome, 0L))
                .sum();
    }
}
