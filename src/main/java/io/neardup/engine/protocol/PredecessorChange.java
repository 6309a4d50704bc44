package io.neardup.engine.protocol;

import java.util.Map;

/** A change of the index that this one succeeds, as a coordinator learns it; originals have the refs of there. */
public sealed interface PredecessorChange {

    /** An original, to be one here whatever it resembles; its origin says its ref there. */
    record Inherited(Original original) implements PredecessorChange {}

    /** An original is none any more. */
    record Removed(DocumentRef source) implements PredecessorChange {}

    /**
     * An original was repeated.
     *
     * @param eventMillis when, by event time
     */
    record Repeated(DocumentRef source, long eventMillis) implements PredecessorChange {}

    /**
     * No more comes.
     *
     * @param starts by topic, the first offset of the input that is this coordinator's
     * @param isSpread whether what was taken over is on other coordinators than later records of the same key
     * @param eventMillis where the event clock of that index stood, 0 if that is not known: what had expired there is
     *     not to be remembered here while the first documents come
     */
    record Completed(Map<String, Long> starts, boolean isSpread, long eventMillis) implements PredecessorChange {
        public Completed {
            starts = Map.copyOf(starts);
        }
    }
}
