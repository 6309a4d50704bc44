package io.neardup.engine.lsh;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds bands and rows from the recall that is wanted. For r rows the fewest bands that reach the recall at the
 * threshold t are b = ceil(log(1 - recall) / log(1 - t^r)). More rows let fewer unrelated documents through, and cost
 * more hashes. The false candidates expected for a document are the index size times the S-curve at the similarity of
 * unrelated documents. The fewest rows are chosen that keep these at or below {@link #FALSE_CANDIDATES_MAX}.
 *
 * <p>Threshold 0.7, recall 0.99, 10 million documents of similarity 0.02 to each other, at most 256 hashes: 26 bands x
 * 5 rows, 130 hashes, recall 0.9916 at the threshold, 0.83 false candidates a document.
 */
public final class BandingSolver {
    /** Of a document: each costs one verification, and below this number fewer are not worth more hashes. */
    public static final double FALSE_CANDIDATES_MAX = 1.0;

    /** Keeps rounding errors from adding a band where the quotient is a whole number. */
    private static final double ROUNDING = 1e-9;

    private BandingSolver() {}

    /**
     * The banding of the fewest hashes that reaches the recall and lets few enough false candidates through. When none
     * does both, the one that reaches the recall and lets the fewest through.
     *
     * @param threshold similarity from which documents are duplicates, above 0, at most 1
     * @param recall least probability of finding a duplicate at the threshold, between 0 and 1
     * @param indexSize documents in the index, at least 1
     * @param unrelatedSimilarity similarity of unrelated documents, at least 0, below the threshold
     * @param hashesMax most signature values, at least 1
     * @throws IllegalArgumentException when an argument is out of range, or no banding within the hashes reaches the
     *     recall
     */
    public static Banding solve(
            double threshold, double recall, long indexSize, double unrelatedSimilarity, int hashesMax) {
        requireTargets(threshold, recall);
        require(indexSize >= 1, "index size", indexSize, "at least 1");
        require(
                unrelatedSimilarity >= 0 && unrelatedSimilarity < threshold,
                "similarity of unrelated documents",
                unrelatedSimilarity,
                "at least 0 and below the threshold " + threshold);
        return solve(threshold, recall, hashesMax, banding -> falseCandidates(banding, indexSize, unrelatedSimilarity));
    }

    /**
     * As above, for false candidates that come from more than one similarity.
     *
     * @param falseCandidates expected for a document under a banding, at least 0; the more rows, the fewer
     * @throws IllegalArgumentException when an argument is out of range, or no banding within the hashes reaches the
     *     recall
     */
    public static Banding solve(
            double threshold, double recall, int hashesMax, ToDoubleFunction<Banding> falseCandidates) {
        requireTargets(threshold, recall);
        require(hashesMax >= 1, "hashes", hashesMax, "at least 1");
        List<Banding> feasible = feasible(threshold, recall, hashesMax).toList();
        if (feasible.isEmpty()) {
            throw unreachable(threshold, recall, hashesMax);
        }
        return feasible.stream()
                .filter(banding -> falseCandidates.applyAsDouble(banding) <= FALSE_CANDIDATES_MAX)
                .findFirst()
                .orElseGet(() -> feasible.stream()
                        .min(Comparator.comparingDouble(falseCandidates))
                        .orElseThrow());
    }

    /** How many documents of an index are expected to share a bucket with an unrelated document. */
    public static double falseCandidates(Banding banding, long indexSize, double unrelatedSimilarity) {
        return indexSize * banding.probability(unrelatedSimilarity);
    }

    /**
     * For each number of rows the banding of the fewest bands that reaches the recall. In the order of rows, which is
     * also that of hashes: more rows never need fewer bands.
     */
    static Stream<Banding> feasible(double threshold, double recall, int hashesMax) {
        return IntStream.rangeClosed(1, hashesMax)
                .takeWhile(rows -> bands(threshold, recall, rows) * rows <= hashesMax)
                .mapToObj(rows -> new Banding((int) bands(threshold, recall, rows), rows));
    }

    /** The fewest bands, of this many rows each, that reach the recall at the threshold; may be too many for an int. */
    private static double bands(double threshold, double recall, int rows) {
        double bands = Math.log1p(-recall) / Math.log1p(-Math.pow(threshold, rows));
        return Math.max(1, Math.ceil(bands - ROUNDING * bands));
    }

    private static IllegalArgumentException unreachable(double threshold, double recall, int hashesMax) {
        return new IllegalArgumentException(String.format(
                Locale.ROOT,
                "recall %s at threshold %s cannot be reached with %d hashes: expected a recall of at most %.4f",
                recall,
                threshold,
                hashesMax,
                Math.floor(new Banding(hashesMax, 1).probability(threshold) * 1e4) / 1e4));
    }

    private static void requireTargets(double threshold, double recall) {
        require(threshold > 0 && threshold <= 1, "threshold", threshold, "above 0 and at most 1");
        require(recall > 0 && recall < 1, "recall", recall, "between 0 and 1, both excluded");
    }

    private static void require(boolean holds, String name, Number actual, String expected) {
        if (!holds) {
            throw new IllegalArgumentException("Banding: " + name + " " + actual + ", expected " + expected);
        }
    }
}
