package io.neardup.tools.analysis;

import io.neardup.engine.similarity.Valley;
import java.util.function.DoubleUnaryOperator;

/**
 * How many pairs are how similar: counts in 100 bins of 0.01, the last with 1. A pair that stands for others counts as
 * many. Not thread-safe.
 */
public final class SimilarityCounts {
    /** From 0 to 1. */
    public static final int BINS = Valley.BINS;

    private final double[] pairs = new double[BINS];
    private final double[] similarities = new double[BINS];

    /** Counts a pair as many: those that it stands for, itself included. */
    public void add(double jaccard, double weight) {
        int bin = bin(jaccard);
        pairs[bin] += weight;
        similarities[bin] += weight * jaccard;
    }

    /** The bin of a similarity. */
    public static int bin(double jaccard) {
        return Math.min(step(jaccard, BINS), BINS - 1);
    }

    /** The last of so many equal steps from 0 to 1 that a similarity reaches, even where doubles make it too small. */
    static int step(double similarity, int steps) {
        return (int) (similarity * steps + 1e-9);
    }

    /** Pairs of some bins, the last left out. */
    public double pairs(int fromBin, int toBin) {
        double sum = 0;
        for (int bin = fromBin; bin < toBin; bin++) {
            sum += pairs[bin];
        }
        return sum;
    }

    public double pairs() {
        return pairs(0, BINS);
    }

    double[] byBin() {
        return pairs.clone();
    }

    public double pairsFrom(double similarity) {
        return pairs(bin(similarity), BINS);
    }

    /** The least similarity, in hundredths, that so large a share of the pairs stays below; 0 of no pairs. */
    public double quantile(double share) {
        double all = pairs();
        double below = 0;
        int bin = 0;
        while (bin < BINS && below < share * all) {
            below += pairs[bin++];
        }
        return bin / (double) BINS;
    }

    /** The mean of a function of the similarity over the pairs before a bin, each bin taken at its mean; 0 of none. */
    double mean(int toBin, DoubleUnaryOperator function) {
        double total = 0;
        for (int bin = 0; bin < toBin; bin++) {
            total += pairs[bin] == 0 ? 0 : pairs[bin] * function.applyAsDouble(similarities[bin] / pairs[bin]);
        }
        double all = pairs(0, toBin);
        return all == 0 ? 0 : total / all;
    }
}
