package io.neardup.analysis;

import io.neardup.text.CommonShingles;
import java.util.HashSet;
import java.util.Set;

/**
 * How well a file of common shingles fits documents of another day.
 *
 * @param common shingles in these documents
 * @param missing how many of them the file lacks
 * @param missingShare the same, each shingle counted as often as clusters hold it, 0 to 1
 */
public record CommonAge(int common, int missing, double missingShare) {
    /** A sample differs from another by less. */
    private static final double OLD = 0.2;

    /**
     * Compares.
     *
     * @param today what is common in these documents
     * @param file of the same shingle
     */
    public static CommonAge of(CommonShingles today, CommonShingles file) {
        Set<String> known = new HashSet<>();
        file.forEach((clusters, text) -> known.add(text));
        long[] held = new long[2];
        int[] missing = new int[1];
        today.forEach((clusters, text) -> {
            held[0] += clusters;
            if (!known.contains(text)) {
                missing[0]++;
                held[1] += clusters;
            }
        });
        return new CommonAge(today.size(), missing[0], held[0] == 0 ? 0 : held[1] / (double) held[0]);
    }

    /** Whether more is missing than chance explains. */
    public boolean isOld() {
        return missingShare > OLD;
    }
}
