package io.neardup.analysis;

import io.neardup.config.NeardupConfig;
import io.neardup.text.Shingler;
import io.neardup.text.StopWords;

/**
 * What settings are to reach.
 *
 * @param shingle that the threshold is meant in, such as {@code char:9}
 * @param stopWords for shingles that depend on them
 * @param threshold above 0, at most 1
 * @param recall at the threshold, above 0, below 1
 * @param indexSize unique documents, at least 1
 * @param hashesMax values of a signature, at least 1
 * @param bandPartitions over which the bands are spread, at least 1
 */
public record TuningTargets(
        String shingle,
        StopWords stopWords,
        double threshold,
        double recall,
        long indexSize,
        int hashesMax,
        int bandPartitions) {

    /** Those of the settings, whatever bands and rows they name. */
    public static TuningTargets of(NeardupConfig config, int hashesMax) {
        return new TuningTargets(
                config.shingling().spec(),
                config.shingling().stopWords(),
                config.threshold(),
                config.recall(),
                config.indexSize(),
                hashesMax,
                config.bandPartitions());
    }

    /** A shingler under a fixed seed: nothing is kept, and two runs are alike. */
    Shingler shingler(String kind) {
        return Shingler.of(kind, stopWords, 0);
    }

    /** The threshold that stands for the same editing in another shingle: above 0, at most 1. */
    double thresholdOf(String other) {
        return other.equals(shingle) ? threshold : EditScale.equivalent(shingle, threshold, other);
    }
}
