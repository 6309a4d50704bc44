package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.similarity.Similarity;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What becomes of a record. A restart keeps it; it is undone only if no output can carry it or its record is gone. */
public sealed interface Decision {

    /** Unique, without a bound that was met, and without a nearest original below the threshold. */
    Decision UNIQUE = new Unique(Set.of(), null);

    Decision UNJUDGED = new Unjudged();

    /**
     * It repeats nothing that is known.
     *
     * @param bounds at which candidates may have been missed, so that it may repeat one of those
     * @param nearestBelow the most similar of the originals below the threshold that it was compared with; null if
     *     there is none, or the rules do not {@linkplain CoordinatorRules#reportsNearestBelow ask for it}
     */
    record Unique(Set<Bound> bounds, @Nullable Neighbour nearestBelow) implements Decision {}

    /**
     * No document to be judged: a tombstone, a rejected record, a change of a predecessor, the end of a seed. It only
     * keeps its place in the order; what is written for it follows from its payload.
     */
    record Unjudged() implements Decision {}

    /**
     * It repeats an original.
     *
     * @param originalId the document id of the original, which is on the unique output
     * @param provenance of the original
     * @param similarity of the duplicate, first, and the original: at or above the threshold
     */
    record Duplicate(DocumentRef original, String originalId, Provenance provenance, Similarity similarity)
            implements Decision {}

    /** A bound that can make the service miss candidates of a document. */
    enum Bound {
        /** One of its buckets was full: documents that the bucket refused are not found there. */
        BUCKET,
        /** It had more candidates than an index partition returns, or than are asked about. */
        CANDIDATES,
        /** Of candidates that sketches did not rule out, a coordinator was asked about more than it compares. */
        RANK
    }
}
