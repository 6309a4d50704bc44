package io.neardup.sketch;

/**
 * What of a document is enough to prove that another is unlike it, without a look at their texts. Only outlines of one
 * {@link SimilarityJudge} can be compared.
 */
public interface Outline {
    /** No less than the similarity of the two documents, in either order, and mostly little more; 1 at the most. */
    double similarityMax(Outline other);

    /** Heap taken, in bytes, about. */
    long bytes();
}
