package io.neardup.tools.analysis;

/**
 * How well pairs fit that are at or above a threshold.
 *
 * @param threshold 0 to 1
 */
public record AtThreshold(double threshold, Score score) {}
