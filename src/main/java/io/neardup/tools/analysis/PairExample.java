package io.neardup.tools.analysis;

/**
 * Two documents and how similar they are by some shingle.
 *
 * @param first number of a document of the sample
 * @param second of another
 * @param jaccard 0 to 1
 */
public record PairExample(int first, int second, double jaccard) {}
