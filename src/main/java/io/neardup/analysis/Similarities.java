package io.neardup.analysis;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/** How similar many pairs are: their similarities, sorted. Immutable. */
public final class Similarities {
    private final double[] sorted;

    private Similarities(double[] sorted) {
        this.sorted = sorted;
    }

    /**
     * Sorts similarities.
     *
     * @param values 0 to 1, in any order; copied
     */
    public static Similarities of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        if (sorted.length > 0 && !(sorted[0] >= 0 && sorted[sorted.length - 1] <= 1)) {
            throw new IllegalArgumentException(
                    "Similarities: found " + sorted[0] + " to " + sorted[sorted.length - 1] + ", expected 0 to 1");
        }
        return new Similarities(sorted);
    }

    /** Pairs. */
    public int size() {
        return sorted.length;
    }

    /** The least similarity that so large a share of the pairs does not exceed; 0 of no pairs. */
    public double quantile(double share) {
        int rank = (int) Math.ceil(share * sorted.length);
        return sorted.length == 0 ? 0 : sorted[Math.min(Math.max(rank, 1), sorted.length) - 1];
    }

    /** The mean of a function of the similarity over the pairs, 0 of no pairs. */
    public double mean(DoubleUnaryOperator function) {
        return Arrays.stream(sorted).map(function).average().orElse(0);
    }

    /** How many pairs lie in each of so many bins of equal width from 0 to 1; the last takes 1 too. */
    public int[] histogram(int bins) {
        int[] counts = new int[bins];
        for (double similarity : sorted) {
            counts[Math.min((int) (similarity * bins), bins - 1)]++;
        }
        return counts;
    }
}
