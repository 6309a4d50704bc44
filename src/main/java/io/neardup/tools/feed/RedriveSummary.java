package io.neardup.tools.feed;

import io.neardup.record.Reason;
import java.util.EnumMap;
import java.util.Map;

/** What became of dead letters. */
public final class RedriveSummary {
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

    private final Map<Reason, Map<LetterOutcome, Long>> counts = new EnumMap<>(Reason.class);
    private long foreign;
    private boolean isStopped;

    void count(Reason reason, LetterOutcome outcome) {
        counts.computeIfAbsent(reason, unused -> new EnumMap<>(LetterOutcome.class))
                .merge(outcome, 1L, Long::sum);
    }

    void countForeign() {
        foreign++;
    }

    void stoppedBeforeTheEnd(boolean leftSome) {
        isStopped = leftSome;
    }

    /** Whether it was stopped before it had dealt with all. */
    public boolean isStopped() {
        return isStopped;
    }

    /** By reason, those that occurred; each with what occurred. */
    public Map<Reason, Map<LetterOutcome, Long>> counts() {
        return counts;
    }

    /** Records on the topic that are no dead letters of a service of this release. */
    public long foreign() {
        return foreign;
    }

    /** Of all reasons. */
    public long of(LetterOutcome outcome) {
        return counts.values().stream()
                .mapToLong(count -> count.getOrDefault(outcome, 0L))
                .sum();
    }
}
