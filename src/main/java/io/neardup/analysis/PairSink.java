package io.neardup.analysis;

/** Takes pairs of documents, each once. */
@FunctionalInterface
interface PairSink {
    /**
     * A pair.
     *
     * @param first number of a document
     * @param second number of a later document
     * @param jaccard of their shingles
     */
    void pair(int first, int second, double jaccard);
}
