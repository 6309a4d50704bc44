package io.neardup.tools.analysis;

import io.neardup.engine.text.BoilerplateShingles;
import java.util.HashMap;
import java.util.Map;

/**
 * How well a boilerplate file fits documents of another day.
 *
 * @param boilerplate shingles in these documents
 * @param missing how many of them the file lacks
 * @param missingShare the same, each shingle counted as often as clusters hold it, 0 to 1
 */
public record BoilerplateAge(int boilerplate, int missing, double missingShare) {
    /** A sample differs from another by less. */
    private static final double OLD = 0.2;

    /**
     * Compares.
     *
     * @param today what is common in these documents
     * @param file of the same shingle
     */
    public static BoilerplateAge of(BoilerplateShingles today, BoilerplateShingles file) {
        Map<String, Integer> missing = new HashMap<>();
        today.forEach((clusters, text) -> missing.put(text, clusters));
        long all = held(missing);
        file.forEach((clusters, text) -> missing.remove(text));
        return new BoilerplateAge(today.size(), missing.size(), all == 0 ? 0 : held(missing) / (double) all);
    }

    private static long held(Map<String, Integer> clusters) {
        return clusters.values().stream().mapToLong(Integer::longValue).sum();
    }

    /** Whether more is missing than chance explains. */
    public boolean isOld() {
        return missingShare > OLD;
    }
}
