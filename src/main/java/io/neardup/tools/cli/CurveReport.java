package io.neardup.tools.cli;

import io.neardup.engine.lsh.Banding;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The S-curve of a banding in figures.
 *
 * @param hashes values of a signature
 * @param threshold the rule of thumb for where it rises, (1/b)^(1/r)
 * @param steepest the similarity at which it is steepest
 * @param slope the slope there
 * @param similarityAt by probability, the similarity that is met with it
 * @param at by similarity, the probability that two documents meet
 */
record CurveReport(
        int bands,
        int rows,
        int hashes,
        double threshold,
        double steepest,
        double slope,
        SortedMap<Double, Double> similarityAt,
        SortedMap<Double, Double> at) {
    static final List<Double> PROBABILITIES = List.of(0.01, 0.5, 0.99);

    static CurveReport of(Banding curve, List<Double> similarities) {
        SortedMap<Double, Double> similarityAt = new TreeMap<>();
        PROBABILITIES.forEach(probability -> similarityAt.put(probability, curve.similarityAt(probability)));
        SortedMap<Double, Double> at = new TreeMap<>();
        similarities.forEach(similarity -> at.put(similarity, curve.probability(similarity)));
        return new CurveReport(
                curve.bands(),
                curve.rows(),
                curve.bands() * curve.rows(),
                curve.threshold(),
                curve.steepest(),
                curve.slope(curve.steepest()),
                similarityAt,
                at);
    }

    String name() {
        return bands + " x " + rows;
    }
}
