package io.neardup.bench;

import java.util.List;

/** Medians of a few values. */
final class Statistics {
    private Statistics() {}

    /**
     * The middle value, or the mean of the two in the middle.
     *
     * @param values at least one
     */
    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
    }
}
