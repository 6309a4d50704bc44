package io.neardup.engine.similarity;

/**
 * What of a document is enough to prove that another is unlike it, without a look at their texts. Only outlines of one
 * {@link SimilarityJudge} can be compared.
 */
public interface Outline {
    /** Whether it proves that the two documents are less similar than a threshold. */
    boolean isBelow(double threshold, Outline other);

    /** Heap taken, in bytes, about. */
    long bytes();
}
