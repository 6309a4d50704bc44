package io.neardup.engine.similarity;

import java.util.Optional;

/** Says how similar two documents are. Implementations may keep scratch buffers: one instance for one thread. */
public interface SimilarityJudge {
    /**
     * The similarity of two documents; with the documents in the other order it is {@link Similarity#reversed}. It
     * knows that of the whole documents where this costs nothing more.
     *
     * @throws IllegalArgumentException when the bytes are not evidence that this judge can read
     */
    Similarity similarity(Evidence a, Evidence b);

    /**
     * As {@link #similarity(Evidence, Evidence)} where that reaches a threshold; else it may be any that does not, as
     * the comparison ends where that is sure.
     */
    default Similarity similarity(Evidence a, Evidence b, double threshold) {
        return similarity(a, b);
    }

    /** The bitmap of a document; empty where this judge has none, or it would prove nothing. */
    default Optional<BitmapFilter> bitmap(Evidence evidence) {
        return Optional.empty();
    }

    /** As {@link #bitmap}, of a document that is the first in the comparisons that follow. */
    default Optional<BitmapFilter> bitmapOfFirst(Evidence evidence) {
        return Optional.empty();
    }

    /**
     * The similarity of two documents where shingles that do not count are compared too, 0 to 1, in either order. NaN
     * where all count, or it is not known.
     *
     * @throws IllegalArgumentException when the bytes are not evidence that this judge can read
     */
    default double whole(Evidence a, Evidence b) {
        return Double.NaN;
    }
}
