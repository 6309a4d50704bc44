package io.neardup.engine.protocol;

import java.util.Map;

/** A change of the predecessor's index, as a coordinator receives it; originals have their refs of that index. */
public sealed interface PredecessorChange {

    /** An original, which becomes one here whatever it resembles; its origin has its ref in the predecessor. */
    record Inherited(Original original) implements PredecessorChange {}

    /** An original has ended. */
    record Removed(DocumentRef predecessorRef) implements PredecessorChange {}

    /**
     * An original was repeated.
     *
     * @param eventMillis when, in event time
     */
    record Repeated(DocumentRef predecessorRef, long eventMillis) implements PredecessorChange {}

    /**
     * The last change.
     *
     * @param starts by topic, the first offset of the input that this coordinator takes
     * @param isSpread whether originals may be on other coordinators than later records of the same key
     * @param eventMillis where the event clock of the predecessor stood, 0 if unknown: originals that had expired there
     *     must not be remembered here until the first documents move the clock
     */
    record Completed(Map<String, Long> starts, boolean isSpread, long eventMillis) implements PredecessorChange {
        public Completed {
            starts = Map.copyOf(starts);
        }
    }
}
