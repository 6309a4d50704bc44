package io.neardup.sketch;

import io.neardup.text.Overlap;

/** How the similarity of two sets of shingles is defined. */
public enum Measure {
    /** Shared shingles over all shingles of both: texts that are the same but for edits. */
    JACCARD {
        @Override
        Similarity of(Overlap overlap) {
            return new Similarity(overlap.jaccard(), overlap.ofFirst(), overlap.ofSecond());
        }
    },
    /** Shared shingles over those of the smaller set: also excerpts, and stories that grew. */
    CONTAINMENT {
        @Override
        Similarity of(Overlap overlap) {
            return new Similarity(overlap.containment(), overlap.ofFirst(), overlap.ofSecond());
        }
    };

    abstract Similarity of(Overlap overlap);
}
