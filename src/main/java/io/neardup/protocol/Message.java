package io.neardup.protocol;

import io.neardup.lsh.BandKeys;
import io.neardup.sketch.BitSketch;
import io.neardup.sketch.Evidence;
import io.neardup.sketch.Similarity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What homes and band partitions say to each other. Questions and answers come in pairs, Lookup/Candidates and
 * Verify/Verified or Dismissal, and are idempotent: a repeated question is answered again, a repeated answer counts
 * once; Started has no answer. They can be lost with a topic that is truncated, and questions are dropped at a bound:
 * the home of a pending document asks again. What the loss of a {@link Remove} leaves in the buckets is taken out as
 * others meet it there. {@link TakenBack} and {@link NewVersion} must not be lost.
 *
 * <p>A check asks from outside whether a document would be a duplicate. It has messages of its own, which leave no
 * trace: nobody is put into a bucket, yields or waits. They can be lost, and are not asked again ({@link Check}).
 */
public sealed interface Message {
    /** In place of the number of an attempt where none was written: what comes with it counts. */
    int ATTEMPT_UNKNOWN = 0;

    /** To the band partition that owns some of a document's buckets. */
    sealed interface ToBands extends Message {
        /** The keys of the bands that the receiving partition owns, in the order of {@link Partitions#bandsOf}. */
        BandKeys keys();
    }

    /** To the home of a document. */
    sealed interface ToHome extends Message {}

    /** What a band partition answers. */
    sealed interface FromBands extends Message {}

    /** To the instance of the service that was asked. */
    sealed interface ToChecker extends Message {
        CheckId check();
    }

    /**
     * Home to bands: who is in these buckets? And put this document there.
     *
     * @param attempt counts the starts of the home; it comes back in the answer
     */
    record Lookup(Ref document, int attempt, BandKeys keys) implements ToBands {}

    /** Home to bands: this document is no original, or no more, take it out. */
    record Remove(Ref document, BandKeys keys) implements ToBands {}

    /**
     * Home to bands: a document is in these buckets, and its home says that it knows it no more: take it out of them.
     * So heals what the loss of a {@link Remove} leaves behind.
     *
     * @param keys of another document that met it there
     */
    record Unknown(Ref document, BandKeys keys) implements ToBands {}

    /** Bands to home: the other documents in the buckets of this one. */
    record Candidates(Ref document, int attempt, int bandPartition, Found found) implements ToHome, FromBands {}

    /**
     * Home to home: how similar are these candidates to the asking document, and are they originals?
     *
     * @param attempt counts the starts of the asking home, and comes back in the answers; {@link #ATTEMPT_UNKNOWN} in
     *     an index of a release before 0.2.1
     * @param candidates at least one, all of one home
     */
    record Verify(Ref asker, int attempt, long askerArrivalMillis, Evidence evidence, BitSketch sketch, Refs candidates)
            implements ToHome {}

    /**
     * Home to home, the answer about one candidate.
     *
     * @param similarity of the asker, first, and the candidate; none where it was not computed
     * @param originalId the candidate's document id if it is an original, else null: it is no match, now and later
     * @param instead whom to ask instead, where the asker is in a crowd, if that is still known: the original that the
     *     candidate repeats if it is a duplicate, the oldest that it yielded to if it is pending; the candidate itself
     *     if its home does not know it and never will again
     */
    record Verified(
            Ref asker,
            int attempt,
            Ref candidate,
            Similarity similarity,
            @Nullable String originalId,
            @Nullable Ref instead)
            implements ToHome {
        boolean isOfUnknown() {
            return candidate.equals(instead);
        }
    }

    /**
     * Home to home, the answer about candidates that are not compared, or not to the end.
     *
     * @param noMatch too unlike the asker by their sketches or outlines: no match, now and later
     * @param duplicates they are duplicates by now: no match as long as they are
     * @param instead whom to ask instead of the duplicates, where the asker is in a crowd: the originals that they
     *     repeat
     * @param leftOut others of the same question were likelier
     * @param later others of the same question are matches, which are enough or more similar, and likely to make the
     *     asker a duplicate: if none does, these are to be asked about again
     */
    record Dismissal(Ref asker, int attempt, Refs noMatch, Refs duplicates, Refs instead, Refs leftOut, Refs later)
            implements ToHome {}

    /** Home to all homes: this one has started again, and has forgotten who waited for its documents. */
    record Started(int home) implements ToHome {}

    /** Home to all homes: a tombstone has come; what was taken over of another index under its key is taken back. */
    record TakenBack(RecordKey key) implements ToHome {}

    /**
     * Home to all homes: a document has come; what was taken over of another index under its id is replaced.
     *
     * @param home to which it has come
     */
    record NewVersion(int home, String id) implements ToHome {}

    /** Checker to bands: who is in these buckets? */
    record CheckLookup(CheckId check, BandKeys keys) implements ToBands {}

    /** Bands to checker: the documents in these buckets. */
    record CheckCandidates(CheckId check, int bandPartition, Found found) implements ToChecker, FromBands {}

    /**
     * Checker to home: how similar is this document to these candidates, and what are they?
     *
     * @param candidates at least one, all of one home
     */
    record CheckVerify(CheckId check, Evidence evidence, BitSketch sketch, Refs candidates) implements ToHome {}

    /**
     * Home to checker, the answer about all candidates that it was asked about.
     *
     * @param nearest the most similar of those that are originals or pending, at most {@link #NEAREST_MAX}, best first
     * @param compared how many were compared; the others were too unlike by their sketches, are no originals any more,
     *     or were left out
     * @param leftOut how many were not compared, as others were likelier or too many asked
     */
    record CheckVerified(CheckId check, int home, List<Neighbour> nearest, int compared, int leftOut)
            implements ToChecker {
        /** Of each home. */
        public static final int NEAREST_MAX = 10;

        public CheckVerified {
            nearest = List.copyOf(nearest);
        }
    }
}
