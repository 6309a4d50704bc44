package io.neardup.engine.protocol;

/**
 * The rules and bounds of a coordinator.
 *
 * @param threshold similarity at or above which a document is a duplicate, above 0, to 1
 * @param verifiedMax how many candidates a coordinator compares for one request, once of originals and older documents,
 *     once more of undecided younger ones; as many again of those that have still to arrive again after a start
 * @param differencesMax candidates whose sketches differ in more values from that of the asker are dropped
 * @param reportsNearestBelow whether the decision on a unique document names the nearest original below the threshold
 *     that it was compared with; that similarity is then exact, otherwise a comparison may stop once it is no match
 * @param reportsEnds whether {@link DocumentCoordinator.Outbox#ended} is called; the first repeat of each original is
 *     stored for it
 */
public record CoordinatorRules(
        double threshold,
        int verifiedMax,
        int differencesMax,
        Retention retention,
        Versions versions,
        StepBounds bounds,
        boolean reportsNearestBelow,
        boolean reportsEnds) {

    public CoordinatorRules {
        if (!(threshold > 0 && threshold <= 1)) {
            throw new IllegalArgumentException("threshold: expected above 0, to 1, found " + threshold);
        }
        if (verifiedMax < 1) {
            throw new IllegalArgumentException("verifiedMax: expected at least 1, found " + verifiedMax);
        }
    }

    /**
     * How long originals are remembered, by event time.
     *
     * @param millis how long after its timestamp an original expires; {@link Long#MAX_VALUE} for never
     * @param refresh whether the time counts from when the original was last repeated
     */
    public record Retention(long millis, boolean refresh) {
        public static final Retention FOREVER = new Retention(Long.MAX_VALUE, false);

        public Retention {
            if (millis < 1) {
                throw new IllegalArgumentException("expected at least 1 ms, found " + millis);
            }
        }

        boolean isForever() {
            return millis == Long.MAX_VALUE;
        }

        /** The youngest timestamp that has expired; below 0 where none has. */
        long expiredMax(long eventMillis) {
            return isForever() ? -1 : eventMillis - millis;
        }
    }

    /** How a document with the id of an earlier original of its coordinator is judged. */
    public enum Versions {
        /** It is judged as any other, and can be a duplicate of that original. */
        COMPARE,
        /** It is unique, whatever it resembles, and takes the place of that original. */
        REPLACE
    }

    /**
     * The most that a coordinator does in one step, and keeps in the heap, all at least 1. Later steps do the rest.
     *
     * @param askAgainMax pending documents that repeat their requests
     * @param removedSlice originals that are looked at to be removed, of each kind: those with a tombstone, those that
     *     expire in their order, those that expire after they were repeated
     * @param verifiedBytes evidence of askers and candidates that is compared between two calls of
     *     {@link DocumentCoordinator#verifyMore}, up to the first pair that reaches it
     * @param sketchesMax sketches in the heap; that of another original is read from the state with its evidence
     */
    public record StepBounds(int askAgainMax, Slice removedSlice, long verifiedBytes, int sketchesMax) {
        /** 16 MB of sketches. */
        public static final int SKETCHES_MAX = 1 << 17;

        public StepBounds {
            if (askAgainMax < 1 || verifiedBytes < 1 || sketchesMax < 1) {
                throw new IllegalArgumentException("expected at least 1 everywhere, found " + askAgainMax + ", "
                        + verifiedBytes + " bytes and " + sketchesMax + " sketches");
            }
        }
    }

    /**
     * How much of a sequence of originals is read at once.
     *
     * @param originals the most, at least 1
     * @param bytes reading ends after the first original that reaches it, at least 1
     */
    public record Slice(int originals, long bytes) {
        public Slice {
            if (originals < 1 || bytes < 1) {
                throw new IllegalArgumentException(
                        "expected at least 1 original and 1 byte, found " + originals + " and " + bytes);
            }
        }

        /** Whether reading ended at one of the two, so that there may be more. */
        public boolean isFull(int originalsRead, long bytesRead) {
            return originalsRead >= originals || bytesRead >= bytes;
        }
    }
}
