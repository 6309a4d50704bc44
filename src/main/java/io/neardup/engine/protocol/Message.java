package io.neardup.engine.protocol;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages between coordinators and index partitions. Requests and answers come in pairs, Lookup/Candidates and
 * Verify/Answer, and are idempotent: a repeated request is answered again, unless the first is still being answered; a
 * repeated answer counts once. They can be lost with a topic that is truncated, and requests are dropped at a bound:
 * pending documents repeat theirs. A document that stays in its buckets as a {@link Remove} was lost is removed when
 * others meet it there. {@link TombstoneArrived} and {@link NewVersion} must not be lost.
 *
 * <p>A {@link Check} sends Lookup and Verify under a {@linkplain DocumentRef#ofCheck ref of its own}.
 */
public sealed interface Message {
    /** To the index partition that owns some of a document's buckets, with the band keys of these. */
    sealed interface ToIndex extends Message {}

    /** To the coordinator of a document, or to a {@link Check}. */
    sealed interface ToCoordinator extends Message {}

    /**
     * Coordinator to index partition: which documents are in these buckets? And insert this one.
     *
     * @param epoch counts the starts of the coordinator; the answer repeats it
     */
    record Lookup(DocumentRef document, int epoch, BandKeys keys) implements ToIndex {}

    /**
     * Coordinator to index partition: this document is no original, or no longer one; remove it.
     *
     * @param keys its own, or some of another document that met it there
     */
    record Remove(DocumentRef document, BandKeys keys) implements ToIndex {}

    /** Index partition to coordinator: the other documents in the buckets of this one. */
    record Candidates(DocumentRef document, int epoch, int indexPartition, Found found) implements ToCoordinator {}

    /**
     * The documents in the buckets of a document.
     *
     * @param candidates those that share the most bands of this partition first, of equals the oldest entries
     * @param truncated how many more there are
     * @param fullBuckets how many of the buckets were full, and may have refused others
     */
    record Found(DocumentRefs candidates, int truncated, int fullBuckets) {}

    /**
     * Coordinator to coordinator: which of these candidates does the asking document repeat?
     *
     * @param epoch as that of {@link Lookup}
     * @param request counts the requests of the asking document, and the answer repeats it; a repeated request has the
     *     same
     * @param candidates at least one, all of one coordinator; in the order in which index partitions returned them, the
     *     first of each, then the second of each, and so on
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
        /** The coordinator of the candidates, which is asked. */
        int coordinator() {
            return candidates.get(0).coordinator();
        }
    }

    /**
     * Coordinator to coordinator, the one answer to a {@link Verify}.
     *
     * @param nearest for a document the best original at or above the threshold, if there is one; for a check the most
     *     similar of all that were compared, at most {@link Neighbour#CHECK_NEAREST_MAX}, best first
     * @param nearestBelow the most similar original below the threshold that was compared, but for those that came
     *     later to the same coordinator; null if there is none, if another matches, or if the rules do not
     *     {@linkplain CoordinatorRules#reportsNearestBelow ask for it}
     * @param redirects documents to ask about in place of candidates, if they are still known: the originals that
     *     duplicates repeat, and the oldest document that each pending candidate had yielded to
     * @param unknown candidates that this coordinator does not know and never will again
     * @param compared how many candidates were compared
     * @param notCompared how many likely ones were not compared, as others came before them
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
            int notCompared)
            implements ToCoordinator {}

    /**
     * A document of the index that the asker was compared with.
     *
     * @param id its document id
     * @param provenance of its record
     * @param similarity of the asker, first, and this document
     * @param isPending whether it is not decided yet: it may turn out to be a duplicate
     */
    record Neighbour(DocumentRef ref, String id, Provenance provenance, Similarity similarity, boolean isPending) {
        /** How many each coordinator returns to a {@link Check}. */
        public static final int CHECK_NEAREST_MAX = 10;

        /**
         * The most similar first, of equally similar ones the first by ref. A document that came later than the asker,
         * to the same coordinator, comes after all others: it should have waited for the asker, and is an original
         * before it only after a crash or a loss, or as the asker was certain to be a duplicate by then.
         */
        static Comparator<Neighbour> bestFirst(DocumentRef asker) {
            return Comparator.comparing((Neighbour neighbour) -> neighbour.ref().isLaterThan(asker))
                    .thenComparingDouble(neighbour -> -neighbour.similarity().value())
                    .thenComparing(Neighbour::ref);
        }

        /** The same with another similarity. */
        Neighbour with(Similarity more) {
            return new Neighbour(ref, id, provenance, more, isPending);
        }
    }

    /** Coordinator to all coordinators: this one has restarted, and has lost the requests that were open there. */
    record Started(int coordinator) implements ToCoordinator {}

    /** Coordinator to all coordinators: originals with this key that were taken over have a tombstone. */
    record TombstoneArrived(RecordKey key) implements ToCoordinator {}

    /** Coordinator to all coordinators: originals with this id that were taken over have a new version. */
    record NewVersion(int coordinator, String id) implements ToCoordinator {}
}
