package io.neardup.analysis;

import io.neardup.config.NeardupConfig;
import io.neardup.text.Shingler;
import io.neardup.text.Shingling;

/**
 * What settings are to reach, and the convention that is kept where documents do not say where they part.
 *
 * @param shingling of the convention; others are cut from the same canonical text
 * @param threshold of the convention, above 0, at most 1
 * @param unrelated similarity of unrelated documents by the convention, for files that are too small to tell
 * @param recall at the threshold, above 0, below 1
 * @param indexSize unique documents that costs are weighed at, at least 1
 * @param hashesMax values of a signature, at least 1
 * @param bandPartitions over which the bands are spread, at least 1
 */
public record TuningTargets(
        Shingling shingling,
        double threshold,
        double unrelated,
        double recall,
        long indexSize,
        int hashesMax,
        int bandPartitions) {

    /** Those of the settings, whatever bands and rows they name. */
    public static TuningTargets of(NeardupConfig config, int hashesMax) {
        return new TuningTargets(
                config.shingling(),
                config.threshold(),
                config.unrelatedSimilarity(),
                config.recall(),
                config.indexSize(),
                hashesMax,
                config.bandPartitions());
    }

    /** The same for another size of the index. */
    public TuningTargets withIndexSize(long documents) {
        return new TuningTargets(
                shingling, threshold, unrelated, recall, Math.max(1, documents), hashesMax, bandPartitions);
    }

    /** The shingle of the convention, such as {@code char:9}. */
    public String shingle() {
        return shingling.spec();
    }

    /** The threshold that stands for the same editing in another shingle: above 0, at most 1. */
    double thresholdOf(String other) {
        return other.equals(shingle()) ? threshold : EditScale.equivalent(shingle(), threshold, other);
    }

    /** A shingler under a fixed seed: nothing is kept, and two runs are alike. */
    Shingler shingler(String kind) {
        return Shingler.of(kind, shingling.stopWords(), 0);
    }
}
