package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.BandingSolver;
import io.neardup.engine.similarity.FastSimilaritySketch;

/**
 * What a shingle and a threshold would do to documents whose pairs were measured.
 *
 * @param shingle such as {@code char:9}
 * @param threshold 0.01 to 1
 * @param counts of pairs by their similarity; those below the threshold count as unrelated
 * @param indexSize unique documents that the costs are meant for
 * @param banding that reaches the recall with the fewest hashes, or lets the fewest false candidates through
 * @param recall at the threshold
 * @param bytesPerDocument of a unique document that lookups need in memory, at the most
 */
// Else the JVM chooses the order of the last two, and not the same in each run.
@JsonPropertyOrder({"shingle", "threshold", "banding", "recall", "bytesPerDocument", "falseCandidates", "pairs"})
public record ShingleFit(
        String shingle,
        double threshold,
        @JsonIgnore SimilarityCounts counts,
        @JsonIgnore long indexSize,
        @JsonUnwrapped Banding banding,
        double recall,
        int bytesPerDocument) {
    private static final double DECIMALS = 1e4;

    /**
     * @param pairs by this shingle
     * @param documents that there are: the size of the index unless the targets have one
     * @throws IllegalArgumentException if no banding within the hashes reaches the recall
     */
    static ShingleFit of(
            String shingle, double threshold, SimilarityCounts pairs, long documents, TuningTargets targets) {
        long indexSize = targets.indexSize().orElse(Math.max(1, documents));
        Banding banding = BandingSolver.solve(
                threshold,
                targets.recall(),
                FastSimilaritySketch.SIZE_MAX,
                tried -> falseCandidates(tried, threshold, pairs, indexSize));
        return new ShingleFit(
                shingle,
                threshold,
                pairs,
                indexSize,
                banding,
                banding.probability(threshold),
                BandTable.hotBytesPerDocument(banding));
    }

    private static double falseCandidates(Banding banding, double threshold, SimilarityCounts pairs, long indexSize) {
        return indexSize * pairs.mean(SimilarityCounts.bin(threshold), banding::probability);
    }

    /** False candidates expected for a document: index size times the mean chance that an unrelated one is one. */
    @JsonProperty
    public double falseCandidates() {
        return falseCandidates(banding, threshold, counts, indexSize);
    }

    /** Pairs from the hundredth of the threshold on, some of them below one that is no whole hundredth. */
    @JsonProperty("pairs")
    public double duplicatePairs() {
        return counts.pairsFrom(threshold);
    }

    /**
     * The one similarity of all unrelated pairs that would give as many false candidates, rounded up to four decimals:
     * what to give for {@code neardup.similarity.unrelated}. Below the threshold.
     */
    public double unrelatedSimilarity() {
        double similarity = banding.similarityAt(counts.mean(SimilarityCounts.bin(threshold), banding::probability));
        double rounded = Math.ceil(similarity * DECIMALS) / DECIMALS;
        return Math.min(rounded, Math.max(0, Math.ceil(threshold * DECIMALS) - 1) / DECIMALS);
    }
}
