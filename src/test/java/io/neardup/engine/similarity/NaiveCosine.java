package io.neardup.engine.similarity;

import io.neardup.engine.text.Shingles;
import java.util.HashMap;
import java.util.Map;

/** The oracle of cosines: maps from shingles to weights. */
final class NaiveCosine {
    private NaiveCosine() {}

    static double of(Shingles a, Shingles b, ShingleWeights weights) {
        Map<Long, Double> vectorA = vector(a, weights);
        Map<Long, Double> vectorB = vector(b, weights);
        double squares = product(vectorA, vectorA) * product(vectorB, vectorB);
        return squares == 0 ? 0 : Math.min(1, product(vectorA, vectorB) / Math.sqrt(squares));
    }

    /** The share of the distinct shingles of one that another has too. */
    static double share(Shingles of, Shingles in, ShingleWeights weights) {
        Map<Long, Double> all = vector(of, weights);
        Map<Long, Double> other = vector(in, weights);
        return all.isEmpty()
                ? 0
                : all.keySet().stream().filter(other::containsKey).count() / (double) all.size();
    }

    private static Map<Long, Double> vector(Shingles shingles, ShingleWeights weights) {
        Map<Long, Double> vector = new HashMap<>();
        for (int i = 0; i < shingles.size(); i++) {
            vector.merge(shingles.hash(i), (double) weights.of(shingles.hash(i)), Double::sum);
        }
        return vector;
    }

    private static double product(Map<Long, Double> a, Map<Long, Double> b) {
        return a.entrySet().stream()
                .mapToDouble(entry -> entry.getValue() * b.getOrDefault(entry.getKey(), 0.0))
                .sum();
    }
}
