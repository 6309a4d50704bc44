package io.neardup.bench;

import java.util.List;

/** Medians and percentiles of a few or many values. */
final class Statistics {
    private Statistics() {}

    /** The middle value, or the mean of the two in the middle. */
    static double median(List<Double> values) {
        double[] sorted = sorted(values);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /**
     * The smallest value that at least this share of all values do not exceed (nearest rank).
     *
     * @param share above 0, at most 1
     */
    static double percentile(List<Double> values, double share) {
        double[] sorted = sorted(values);
        int rank = (int) Math.ceil(share * sorted.length);
        return sorted[Math.max(1, rank) - 1];
    }

    private static double[] sorted(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("expected at least one value");
        }
        return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }
}
