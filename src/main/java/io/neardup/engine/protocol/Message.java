package io.neardup.engine.protocol;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What coordinators and index partitions say to each other. Requests and answers come in pairs, Lookup/Candidates and
 * Verify/Answer, and are idempotent: a repeated request is answered again, unless the first is still being answered; a
 * repeated answer counts once. They can be lost with a topic that is truncated, and requests are dropped at a bound:
 * who is pending asks again. What the loss of a {@link Remove} leaves in the buckets is taken out as others meet it
 * there. {@link TombstoneArrived} and {@link NewVersion} must not be lost.
 *
 * <p>Who asks from outside ({@link Check}) sends Lookup and Verify under a ref that {@linkplain DocumentRef#isOutside
 * lies outside}.
 */
public sealed interface Message {
    /** To the index partition that owns some of a document's buckets, with band keys of these. */
    sealed interface ToBands extends Message {}

    /** To the coordinator of a document, or who asks from outside. */
    sealed interface ToCoordinator extends Message {}

    /**
     * Coordinator to bands: who is in these buckets? And put this document there.
     *
     * @param epoch counts the starts of the coordinator; it comes back in the answer
     */
    record Lookup(DocumentRef document, int epoch, BandKeys keys) implements ToBands {}

    /**
     * Coordinator to bands: this document is no original, or no more, take it out.
     *
     * @param keys its own, or some of another that met it there
     */
    record Remove(DocumentRef document, BandKeys keys) implements ToBands {}

    /** Bands to coordinator: the other documents in the buckets of this one. */
    record Candidates(DocumentRef document, int epoch, int indexPartition, Found found) implements ToCoordinator {}

    /**
     * Who is in the buckets of a document.
     *
     * @param candidates those that share the most bands of this partition first, of equals the longest in the buckets
     * @param truncated how many more there are
     * @param fullBuckets how many of the buckets were full, and may have refused others
     */
    record Found(DocumentRefs candidates, int truncated, int fullBuckets) {}

    /**
     * Coordinator to coordinator: which of these candidates does the asking document repeat?
     *
     * @param epoch as that of {@link Lookup}
     * @param request counts the requests of the asking document, and comes back in the answer; one that is repeated
     *     keeps it
     * @param candidates at least one, all of one coordinator; in the order in which index partitions returned them,
     *     taken in turns
     */
    record Verify(
            DocumentRef asker,
            int epoch,
            int request,
            long askerArrivalMillis,
            Evidence evidence,
            BitSketch sketch,
            DocumentRefs candidates)
            implements ToCoordinator {
        /** That of the candidates, who is asked. */
        int coordinator() {
            return candidates.get(0).coordinator();
        }
    }

    /**
     * Coordinator to coordinator, the one answer to a {@link Verify}.
     *
     * @param nearest for a document the best original at or above the threshold, if there is one; for who asks from
     *     outside the most similar of all that were compared, at most {@link Neighbour#FOR_OUTSIDE_MAX}, best first
     * @param nearestBelow the most similar original below the threshold that was compared, of those that did not come
     *     to the same coordinator later; null where there is none, where another matches, or where
     *     {@linkplain CoordinatorRules#namesNearest nobody wants it}
     * @param redirects whom to ask in place of candidates, if they are still known: the originals that duplicates
     *     repeat, and the oldest that each pending one had yielded to
     * @param unknown candidates that this coordinator does not know and never will again
     * @param compared how many were compared
     * @param beyond how many likely matches were not, as others came before them
     */
    record Answer(
            DocumentRef asker,
            int epoch,
            int request,
            List<Neighbour> nearest,
            @Nullable Neighbour nearestBelow,
            DocumentRefs redirects,
            DocumentRefs unknown,
            int compared,
            int beyond)
            implements ToCoordinator {}

    /**
     * A document of the index that another was compared with.
     *
     * @param id its document id
     * @param provenance of its record
     * @param similarity of the other document, first, and this one
     * @param isPending whether it is not decided yet: it may turn out a duplicate
     */
    record Neighbour(DocumentRef ref, String id, Provenance provenance, Similarity similarity, boolean isPending) {
        /** How many each coordinator returns to who asks from outside. */
        public static final int FOR_OUTSIDE_MAX = 10;

        /**
         * The most similar first, of equally similar ones the first by ref. One that came later than who asks, to the
         * same coordinator, comes behind all others: it was to wait for who asks, and is an original before it only by
         * a crash, a loss, or as that was certain to be a duplicate by then.
         */
        static Comparator<Neighbour> bestFirst(DocumentRef asker) {
            return Comparator.comparing((Neighbour neighbour) -> neighbour.ref().isLaterThan(asker))
                    .thenComparingDouble(neighbour -> -neighbour.similarity().value())
                    .thenComparing(Neighbour::ref);
        }

        /** The same with more that is known of the similarity. */
        Neighbour with(Similarity more) {
            return new Neighbour(ref, id, provenance, more, isPending);
        }
    }

    /** Coordinator to all coordinators: this one has started again, and has forgotten who waited for its documents. */
    record Started(int coordinator) implements ToCoordinator {}

    /** Coordinator to all coordinators: what was taken over of another index under this key has a tombstone. */
    record TombstoneArrived(RecordKey key) implements ToCoordinator {}

    /** Coordinator to all coordinators: what was taken over of another index under this id has a new version. */
    record NewVersion(int coordinator, String id) implements ToCoordinator {}
}
