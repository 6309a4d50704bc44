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
 * Verify/Verified or Dismissal, and are idempotent: a repeated request is answered again, a repeated answer counts
 * once; Started has no answer. They can be lost with a topic that is truncated, and requests are dropped at a bound:
 * the coordinator of a pending document asks again. What the loss of a {@link Remove} leaves in the buckets is taken
 * out as others meet it there. {@link TombstoneArrived} and {@link NewVersion} must not be lost.
 *
 * <p>A check asks from outside whether a document would be a duplicate. It has messages of its own, which leave no
 * trace: nobody is put into a bucket, yields or waits. They can be lost, and are not asked again ({@link Check}).
 */
public sealed interface Message {
    /** To the index partition that owns some of a document's buckets. */
    sealed interface ToBands extends Message {
        /** The keys of the bands that the receiving partition owns, in the order of {@link Partitions#bandsOf}. */
        BandKeys keys();
    }

    /** To the coordinator of a document. */
    sealed interface ToCoordinator extends Message {}

    /** What an index partition answers. */
    sealed interface FromBands extends Message {}

    /** To the instance of the service that was asked. */
    sealed interface ToChecker extends Message {
        CheckId check();
    }

    /**
     * Coordinator to bands: who is in these buckets? And put this document there.
     *
     * @param epoch counts the starts of the coordinator; it comes back in the answer
     */
    record Lookup(DocumentRef document, int epoch, BandKeys keys) implements ToBands {}

    /** Coordinator to bands: this document is no original, or no more, take it out. */
    record Remove(DocumentRef document, BandKeys keys) implements ToBands {}

    /**
     * Coordinator to bands: a document is in these buckets, and its coordinator says that it knows it no more: take it
     * out of them. So heals what the loss of a {@link Remove} leaves behind.
     *
     * @param keys of another document that met it there
     */
    record Unknown(DocumentRef document, BandKeys keys) implements ToBands {}

    /** Bands to coordinator: the other documents in the buckets of this one. */
    record Candidates(DocumentRef document, int epoch, int indexPartition, Found found)
            implements ToCoordinator, FromBands {}

    /**
     * Who is in the buckets of a document.
     *
     * @param candidates grouped by how many bands of this partition they share. Each round takes one of every group,
     *     that with the most bands first; within a group the longest in the buckets go first
     * @param truncated how many more there are
     * @param fullBuckets how many of the buckets were full, and may have refused others
     */
    record Found(DocumentRefs candidates, int truncated, int fullBuckets) {
        public static final Found NOBODY = new Found(DocumentRefs.NONE, 0, 0);

        /** In buckets none of which was full. */
        public Found(DocumentRefs candidates, int truncated) {
            this(candidates, truncated, 0);
        }
    }

    /**
     * Coordinator to coordinator: how similar are these candidates to the asking document, and are they originals?
     *
     * @param epoch counts the starts of the asking coordinator, and comes back in the answers
     * @param candidates at least one, all of one coordinator
     */
    record Verify(
            DocumentRef asker,
            int epoch,
            long askerArrivalMillis,
            Evidence evidence,
            BitSketch sketch,
            DocumentRefs candidates)
            implements ToCoordinator {

        /** The same about one of its candidates alone. */
        Verify only(DocumentRef candidate) {
            return new Verify(asker, epoch, askerArrivalMillis, evidence, sketch, DocumentRefs.of(candidate));
        }
    }

    /**
     * Coordinator to coordinator, the answer about one candidate.
     *
     * @param similarity of the asker, first, and the candidate; none where it was not computed
     * @param originalId the candidate's document id if it is an original, else null: it is no match, now and later
     * @param redirect whom to ask in place of the candidate, if that is still known: the original that the
     *     candidate repeats if it is a duplicate, the oldest that it yielded to if it is pending; the candidate itself
     *     if its coordinator does not know it and never will again
     */
    record Verified(
            DocumentRef asker,
            int epoch,
            DocumentRef candidate,
            Similarity similarity,
            @Nullable String originalId,
            @Nullable DocumentRef redirect)
            implements ToCoordinator {
        boolean isOfUnknown() {
            return candidate.equals(redirect);
        }
    }

    /**
     * Coordinator to coordinator, the answer about candidates that are not compared, or not to the end.
     *
     * @param noMatch too unlike the asker by their sketches or outlines: no match, now and later
     * @param duplicates they are duplicates by now: no match as long as they are
     * @param redirects whom to ask in place of the duplicates: the originals that they repeat
     * @param truncated others of the same request were likelier
     * @param deferred others of the same request are matches, which are enough or more similar, and likely to
     *     make the asker a duplicate; if none does, these are to be asked about again
     */
    record Dismissal(
            DocumentRef asker,
            int epoch,
            DocumentRefs noMatch,
            DocumentRefs duplicates,
            DocumentRefs redirects,
            DocumentRefs truncated,
            DocumentRefs deferred)
            implements ToCoordinator {}

    /** Coordinator to all coordinators: this one has started again, and has forgotten who waited for its documents. */
    record Started(int coordinator) implements ToCoordinator {}

    /**
     * Coordinator to all coordinators: a tombstone has come; what was taken over of another index under its key is
     * removed.
     */
    record TombstoneArrived(RecordKey key) implements ToCoordinator {}

    /**
     * Coordinator to all coordinators: a document has come; what was taken over of another index under its id is
     * replaced.
     *
     * @param coordinator to which it has come
     */
    record NewVersion(int coordinator, String id) implements ToCoordinator {}

    /**
     * Names a check.
     *
     * @param checker the instance of the service that was asked, a random number of this start
     * @param number counts its checks, from 1
     */
    record CheckId(long checker, long number) {}

    /**
     * A document of the index that a checked one was compared with.
     *
     * @param id its document id
     * @param similarity of the checked document, first, and this one
     * @param isPending whether it is not decided yet: it may turn out a duplicate
     */
    record Neighbour(DocumentRef ref, String id, Similarity similarity, boolean isPending) {
        /** The most similar first, of equally similar ones the first by ref. */
        static final Comparator<Neighbour> NEAREST_FIRST = Comparator.comparingDouble(
                        (Neighbour neighbour) -> -neighbour.similarity().value())
                .thenComparing(Neighbour::ref);
    }

    /** Checker to bands: who is in these buckets? */
    record CheckLookup(CheckId check, BandKeys keys) implements ToBands {}

    /** Bands to checker: the documents in these buckets. */
    record CheckCandidates(CheckId check, int indexPartition, Found found) implements ToChecker, FromBands {}

    /**
     * Checker to coordinator: how similar is this document to these candidates, and what are they?
     *
     * @param candidates at least one, all of one coordinator
     */
    record CheckVerify(CheckId check, Evidence evidence, BitSketch sketch, DocumentRefs candidates)
            implements ToCoordinator {}

    /**
     * Coordinator to checker, the answer about all candidates that it was asked about.
     *
     * @param nearest the most similar of those that are originals or pending, at most {@link #NEAREST_MAX}, best first
     * @param compared how many were compared; the others were too unlike by their sketches, are no originals any more,
     *     or were truncated
     * @param truncated how many were not compared, as others were likelier or too many asked
     */
    record CheckVerified(CheckId check, int coordinator, List<Neighbour> nearest, int compared, int truncated)
            implements ToChecker {
        /** Of each coordinator. */
        public static final int NEAREST_MAX = 10;

        public CheckVerified {
            nearest = List.copyOf(nearest);
        }
    }
}
