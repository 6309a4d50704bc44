package io.neardup.tools.analysis;

/**
 * The pairs of a range of similarities.
 *
 * @param from similarity, included
 * @param to similarity, left out unless it is 1
 * @param pairs of exactly such a similarity
 * @param found those of them that meet in a bucket
 * @param promise the share of them that should meet by the S-curve, its mean over the pairs; without pairs its value in
 *     the middle
 */
public record Bin(double from, double to, long pairs, long found, double promise) {

    /** The share that meets, 0 to 1; NaN without pairs. */
    public double recall() {
        return found / (double) pairs;
    }
}
