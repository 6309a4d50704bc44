package io.neardup.tools.analysis;

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

    /** Whether to compare two documents; of no consequence but for the work. In any order. */
    default boolean wants(int one, int other) {
        return true;
    }
}
