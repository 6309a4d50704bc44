package io.neardup.tools.analysis;

/**
 * Two documents by their numbers.
 *
 * @param second above the first
 */
record DocumentPair(int first, int second) {}
