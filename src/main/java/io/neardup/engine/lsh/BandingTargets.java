package io.neardup.engine.lsh;

import java.util.Comparator;
import java.util.Optional;

/**
 * What a banding is for: pairs of one similarity meet in a bucket with at least one probability, and pairs of a lower
 * similarity with at most another. All is in closed form, from the S-curve. For each number of rows the fewest
 * bands that find enough also let the fewest through, so only one banding a number of rows is looked at.
 *
 * @param findSimilarity above 0, at most 1
 * @param findProbability of meeting at that similarity at the least, above 0, below 1
 * @param rejectSimilarity at least 0, below {@code findSimilarity}
 * @param rejectProbability of meeting at that similarity at the most, above 0, below 1
 */
public record BandingTargets(
        double findSimilarity, double findProbability, double rejectSimilarity, double rejectProbability) {
    /** Signature values at which the search ends, far more than anybody computes. */
    public static final int HASHES_MAX = 1 << 20;

    public BandingTargets {
        require(findSimilarity > 0 && findSimilarity <= 1, "similarity to find", findSimilarity, "above 0, at most 1");
        require(isShare(findProbability), "probability to find", findProbability, "between 0 and 1, both excluded");
        require(
                rejectSimilarity >= 0 && rejectSimilarity < findSimilarity,
                "similarity to reject",
                rejectSimilarity,
                "at least 0 and below the similarity to find, " + findSimilarity);
        require(
                isShare(rejectProbability),
                "probability to reject",
                rejectProbability,
                "between 0 and 1, both excluded");
    }

    private static boolean isShare(double value) {
        return value > 0 && value < 1;
    }

    /** The banding of the fewest signature values that meets both targets; of equal ones that with the fewer rows. */
    public Optional<Banding> cheapest() {
        return cheapestWithin(HASHES_MAX);
    }

    /** As {@link #cheapest}, among bandings of at most {@code hashes} signature values. */
    public Optional<Banding> cheapestWithin(int hashes) {
        return BandingSolver.feasible(findSimilarity, findProbability, hashes)
                .filter(this::rejects)
                .min(Comparator.comparingInt(Banding::hashes));
    }

    /**
     * The banding of at most {@code hashes} signature values that comes nearest to the targets. Of those that find
     * enough it lets the fewest through. If none finds enough, it has bands of one row, which find most.
     */
    public Banding bestWithin(int hashes) {
        return BandingSolver.feasible(findSimilarity, findProbability, hashes)
                .min(Comparator.comparingDouble(banding -> banding.probability(rejectSimilarity)))
                .orElseGet(() -> new Banding(hashes, 1));
    }

    private boolean rejects(Banding banding) {
        return banding.probability(rejectSimilarity) <= rejectProbability;
    }

    private static void require(boolean holds, String name, double actual, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(name + " " + actual + ": expected " + expected);
        }
    }
}
