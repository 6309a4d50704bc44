package io.neardup.protocol;

import io.neardup.sketch.Similarity;

/** What becomes of a record; final. */
public sealed interface Decision {

    Decision UNIQUE = new Unique();

    Decision UNJUDGED = new Unjudged();

    record Unique() implements Decision {}

    /**
     * It is not judged: it is no document, or was withdrawn. It only keeps its place in the order; its output follows
     * from what travels with it.
     */
    record Unjudged() implements Decision {}

    /**
     * It repeats an original.
     *
     * @param originalId the document id of the original, which is on the unique output
     * @param similarity of the duplicate, first, and the original: at or above the threshold
     */
    record Duplicate(Ref original, String originalId, Similarity similarity) implements Decision {}
}
