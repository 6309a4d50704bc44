package io.neardup.tools.analysis;

import java.util.List;

/**
 * A threshold that could be chosen.
 *
 * @param halves of {@link MeasuredShingle#HALVES} random halves of the documents that propose it, or one near to it
 * @param pairs at or above it
 * @param below the most similar of the pairs that it keeps apart, a few
 * @param above the least similar of the pairs that it calls duplicates, a few
 */
public record Alternative(
        String shingle, double threshold, int halves, double pairs, List<PairExample> below, List<PairExample> above) {
    private static final int EXAMPLES = 3;

    static Alternative of(MeasuredShingle measured, double threshold, int halves) {
        return new Alternative(
                measured.shingle(),
                threshold,
                halves,
                measured.counts().pairsFrom(threshold),
                measured.below(threshold, EXAMPLES),
                measured.from(threshold, EXAMPLES));
    }
}
