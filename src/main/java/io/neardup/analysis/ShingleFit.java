package io.neardup.analysis;

import io.neardup.lsh.Banding;
import io.neardup.lsh.BandingSolver;
import io.neardup.lsh.IndexMemory;

/**
 * What a shingle would do to the documents of a sample.
 *
 * @param shingle such as {@code char:9}
 * @param threshold that stands for the editing that the targets allow
 * @param unrelated similarities of pairs that have nothing to do with each other
 * @param banding that reaches the recall with the fewest hashes, or lets the fewest false candidates through
 * @param recall at the threshold
 * @param falseCandidates expected for a document: index size times the mean, over the pairs, of the chance to share a
 *     bucket
 * @param falseCandidatesError their standard error, as the pairs are a sample; few alike pairs make it large
 * @param bytesPerDocument memory of a unique document on all band partitions, at the most
 */
public record ShingleFit(
        String shingle,
        double threshold,
        Similarities unrelated,
        Banding banding,
        double recall,
        double falseCandidates,
        double falseCandidatesError,
        int bytesPerDocument) {
    /**
     * The part of the threshold that nearly all unrelated pairs do not exceed where a shingle tells them apart well.
     */
    public static final double FAR_BELOW = 0.2;

    /** The share of unrelated pairs that is looked at; the few above it may be anything. */
    public static final double NEARLY_ALL = 0.999;

    private static final double DECIMALS = 1e4;

    /**
     * Solves for the bands.
     *
     * @throws IllegalArgumentException if no banding within the hashes reaches the recall
     */
    static ShingleFit of(String shingle, Similarities unrelated, TuningTargets targets) {
        double threshold = targets.thresholdOf(shingle);
        Banding banding = BandingSolver.solve(
                threshold,
                targets.recall(),
                targets.hashesMax(),
                tried -> falseCandidates(tried, unrelated, targets.indexSize()));
        return new ShingleFit(
                shingle,
                threshold,
                unrelated,
                banding,
                banding.curve().probability(threshold),
                falseCandidates(banding, unrelated, targets.indexSize()),
                error(banding, unrelated, targets.indexSize()),
                IndexMemory.bytesPerDocument(banding, targets.bandPartitions()));
    }

    private static double falseCandidates(Banding banding, Similarities unrelated, long indexSize) {
        return indexSize * unrelated.mean(banding.curve()::probability);
    }

    private static double error(Banding banding, Similarities unrelated, long indexSize) {
        double mean = unrelated.mean(banding.curve()::probability);
        double variance = unrelated.mean(similarity -> {
            double deviation = banding.curve().probability(similarity) - mean;
            return deviation * deviation;
        });
        return indexSize * Math.sqrt(variance / unrelated.size());
    }

    /** The similarity that nearly all unrelated pairs do not exceed. */
    public double unrelatedHigh() {
        return unrelated.quantile(NEARLY_ALL);
    }

    /** Whether nearly all unrelated pairs are far below the threshold. */
    public boolean isTellingApart() {
        return unrelatedHigh() <= FAR_BELOW * threshold;
    }

    /** Characters of text whose shingles a replaced word breaks: the fewer, the less short edits cost. */
    public int charactersBroken() {
        return EditScale.charactersBroken(shingle);
    }

    /**
     * The one similarity of all unrelated pairs that would give as many false candidates, rounded up to four decimals:
     * what to give for {@code neardup.similarity.unrelated}. Below the threshold.
     */
    public double unrelatedSimilarity() {
        double similarity = banding.curve().similarityAt(unrelated.mean(banding.curve()::probability));
        double rounded = Math.ceil(similarity * DECIMALS) / DECIMALS;
        return Math.min(rounded, Math.max(0, Math.ceil(threshold * DECIMALS) - 1) / DECIMALS);
    }
}
