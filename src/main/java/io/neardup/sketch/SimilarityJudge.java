package io.neardup.sketch;

/** Says how similar two documents are. Implementations may keep scratch buffers: one instance for one thread. */
public interface SimilarityJudge {
    /**
     * The similarity of two documents, 0 to 1, the same in either order.
     *
     * @throws IllegalArgumentException when the bytes are not evidence that this judge can read
     */
    double similarity(Evidence a, Evidence b);
}
