package io.neardup.engine.similarity;

import io.neardup.engine.text.Overlap;

/** How the similarity of two sets of shingles is defined. */
public enum Measure {
    /** Shared shingles over all shingles of both: texts that are the same but for edits. */
    JACCARD {
        @Override
        Similarity of(Overlap overlap) {
            return new Similarity(overlap.jaccard(), overlap.ofFirst(), overlap.ofSecond());
        }

        @Override
        double sharedAt(double threshold, int first, int second) {
            return threshold / (1 + threshold) * ((double) first + second);
        }
    },
    /** Shared shingles over those of the smaller set: also excerpts, and stories that grew. */
    CONTAINMENT {
        @Override
        Similarity of(Overlap overlap) {
            return new Similarity(overlap.containment(), overlap.ofFirst(), overlap.ofSecond());
        }

        @Override
        double sharedAt(double threshold, int first, int second) {
            return threshold * Math.min(first, second);
        }
    };

    abstract Similarity of(Overlap overlap);

    /** How much sets of two sizes share at a threshold, up to rounding. */
    abstract double sharedAt(double threshold, int first, int second);

    /**
     * The least that sets of two sizes share at or above a threshold; one more than the smaller has where that is not
     * enough. It rounds as {@link #of} does.
     *
     * @param threshold above 0, to 1
     */
    int sharedMin(double threshold, int first, int second) {
        int most = Math.min(first, second);
        int shared = (int) Math.min(most, sharedAt(threshold, first, second));
        while (shared > 0 && of(new Overlap(first, second, shared - 1)).value() >= threshold) {
            shared--;
        }
        while (shared <= most && of(new Overlap(first, second, shared)).value() < threshold) {
            shared++;
        }
        return shared;
    }
}
