package io.neardup.engine.protocol;

import java.util.Map;

/**
 * What a coordinator learns of the index that its own succeeds, as long as it follows that. Originals have the names
 * that they have there.
 */
public sealed interface Followed {

    /**
     * An original, to be one here whatever it resembles.
     *
     * @param origin says its name there
     */
    record Inherited(SignedDocument document, Origin origin) implements Followed {}

    /** An original is none any more. */
    record LetGo(DocumentRef source) implements Followed {}

    /**
     * An original was repeated.
     *
     * @param eventMillis when, by event time
     */
    record Refreshed(DocumentRef source, long eventMillis) implements Followed {}

    /**
     * No more comes.
     *
     * @param starts by topic, the first offset of the input that is this coordinator's
     * @param isSpread whether what was taken over is on other coordinators than later records of the same key
     * @param eventMillis where the event clock of that index stood, 0 if that is not known: what had expired there is
     *     not to be remembered here while the first documents come
     */
    record Completed(Map<String, Long> starts, boolean isSpread, long eventMillis) implements Followed {
        public Completed {
            starts = Map.copyOf(starts);
        }
    }
}
