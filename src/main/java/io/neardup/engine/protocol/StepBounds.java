package io.neardup.engine.protocol;

import java.util.List;

/**
 * What a coordinator does at the most before it gives way: in one step, or where said so between two calls. The rest
 * follows later. Of each kind at least one is done.
 *
 * @param askAgainMax pending documents that ask again
 * @param forgetMax originals that are looked at to be forgotten, of each kind: taken back, expired in their order,
 *     expired after they were repeated
 * @param verifiedBytes evidence of askers and candidates that is compared between two calls of
 *     {@link DocumentCoordinator#answerMore}, up to the first pair that reaches it; it counts as often as it is
 *     compared
 */
public record StepBounds(int askAgainMax, Slice forgetMax, long verifiedBytes) {

    public StepBounds {
        if (askAgainMax < 1 || verifiedBytes < 1) {
            throw new IllegalArgumentException(
                    "expected at least 1 everywhere, found " + askAgainMax + " and " + verifiedBytes + " bytes");
        }
    }

    /**
     * How much of a sequence of originals is read in one go.
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

        boolean isFull(List<CoordinatorState.Entry> read) {
            return isFull(
                    read.size(),
                    read.stream().mapToLong(CoordinatorState.Entry::bytes).sum());
        }
    }
}
