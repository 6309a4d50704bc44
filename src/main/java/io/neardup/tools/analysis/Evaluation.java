package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What settings find among documents, and what there is to find. All of it counts pairs of documents, in no order and
 * with all documents kept. The service compares each document with those before it that are unique.
 *
 * @param documents that were compared
 * @param floor similarity below which pairs are not looked for
 * @param bins of all pairs at or above the floor
 * @param similar pairs at or above the threshold
 * @param found those of them that share a bucket
 * @param promise the share of them that should be found by the S-curve; NaN where there are none
 * @param estimate how sure these are where they rest on a sample of the pairs; null where all pairs were compared
 * @param candidates pairs that share a bucket
 * @param verifiedScore of sharing a bucket and being verified: predicted are the candidates that are duplicates by the
 *     configured verification
 * @param bucketsFull how often a full bucket took a document no more
 * @param labels null where nobody said which pairs are duplicates
 */
// Else the JVM chooses the order, and not the same in each run.
@JsonPropertyOrder({
    "documents",
    "floor",
    "bins",
    "pairs",
    "found",
    "promise",
    "estimate",
    "candidates",
    "verified",
    "bucketsFull",
    "recall",
    "candidatePrecision",
    "candidatesPerDocument"
})
public record Evaluation(
        int documents,
        double floor,
        List<Bin> bins,
        @JsonProperty("pairs") long similar,
        long found,
        double promise,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Estimate estimate,
        long candidates,
        @JsonProperty("verified") Score verifiedScore,
        long bucketsFull,
        @JsonIgnore @Nullable LabelReport labels) {

    /**
     * Ends of intervals that hold what a full comparison would give with a chance of 95 %.
     *
     * @param pairs that were compared
     */
    public record Estimate(int pairs, double recallLow, double recallHigh, long similarLow, long similarHigh) {}

    /**
     * The pairs of a range of similarities.
     *
     * @param from similarity, included
     * @param to similarity, left out unless it is 1
     * @param pairs of exactly such a similarity
     * @param found those of them that share a bucket
     * @param promise the share of them that should be found by the S-curve, its mean over the pairs; without pairs its
     *     value in the middle
     */
    public record Bin(double from, double to, long pairs, long found, double promise) {
        /** The share that is found, 0 to 1; NaN without pairs. */
        @JsonProperty
        public double recall() {
            return found / (double) pairs;
        }
    }

    /** The share of the similar pairs that share a bucket; NaN where there are none. */
    @JsonProperty
    public double recall() {
        return found / (double) similar;
    }

    /** The share of the candidates that are similar; NaN where there are none. */
    @JsonProperty
    public double candidatePrecision() {
        return found / (double) candidates;
    }

    @JsonProperty
    public double candidatesPerDocument() {
        return candidates / (double) documents;
    }

    /**
     * How well pairs that are taken for duplicates fit those that are.
     *
     * @param predicted pairs that are taken for duplicates
     * @param correct those of them that are
     * @param actual pairs that are duplicates
     */
    @JsonPropertyOrder({"pairs", "right", "precision", "recall", "f1"})
    public record Score(
            @JsonProperty("pairs") long predicted,
            @JsonProperty("right") long correct,
            @JsonIgnore long actual) {

        /** The share of the predicted pairs that are correct, 0 to 1; NaN where none is predicted. */
        @JsonProperty
        public double precision() {
            return correct / (double) predicted;
        }

        /** The share of the actual pairs that are predicted, 0 to 1; NaN where there are none. */
        @JsonProperty
        public double recall() {
            return correct / (double) actual;
        }

        /** The harmonic mean of precision and recall, 0 to 1; NaN where there is nothing of either. */
        @JsonProperty
        public double f1() {
            return 2.0 * correct / (predicted + actual);
        }
    }

    /**
     * What similarity and settings make of what people say. Where all pairs are judged, those that people do not call
     * duplicates count as none; else only those that are judged count.
     *
     * @param labels what people say
     * @param verified how well the pairs fit that the settings find and verify
     * @param all by each shingle that was tried, that of the settings first
     * @param leftOut shingles by which too many pairs are alike to compare them all
     */
    public record LabelReport(Labels labels, Score verified, List<ShingleScores> all, List<String> leftOut) {
        /** By the shingle of the settings. */
        public ShingleScores settings() {
            return all.get(0);
        }

        /** The shingle of the highest F1 at its best threshold; of equal ones the first. */
        public ShingleScores best() {
            return all.stream()
                    .reduce((one, other) ->
                            other.best().score().f1() > one.best().score().f1() ? other : one)
                    .orElseThrow();
        }
    }
}
