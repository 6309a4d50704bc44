package io.neardup.engine.similarity;

/**
 * What of a document, such as a bitmap of its shingles, is enough to prove that another is unlike it without a look at
 * their texts. Only those of one {@link SimilarityJudge} can be compared.
 */
public interface BitmapFilter {
    /** Whether it proves that the two documents are less similar than a threshold. */
    boolean isBelow(double threshold, BitmapFilter other);

    /** Heap taken, in bytes, about. */
    long bytes();
}
