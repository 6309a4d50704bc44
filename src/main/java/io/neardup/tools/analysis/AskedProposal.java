package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * What answers on pairs propose.
 *
 * @param best shingle and threshold of the highest F1 that is expected
 * @param byShingle the best threshold of each shingle
 * @param f1Low F1 of the proposal is above it with a chance of 95 %, by the model
 * @param f1High and below this one
 * @param isBetter whether it is better than what the documents alone say, with a chance of {@value #BETTER_MIN}; true
 *     where these say nothing
 * @param stable how often it is within {@link #NEAR} of the best F1 where a random quarter of the answers is left out,
 *     of {@link #RESAMPLES} times
 * @param against answers that the proposal contradicts
 * @param pairs that are at or above the threshold, those of equal texts too
 */
public record AskedProposal(
        @JsonUnwrapped Cut best,
        @JsonIgnore List<Cut> byShingle,
        double f1Low,
        double f1High,
        boolean isBetter,
        int stable,
        int against,
        long pairs) {
    /** F1 that does not matter. */
    public static final double NEAR = 0.02;
    /** How often answers are left out. */
    public static final int RESAMPLES = 20;

    static final double BETTER_MIN = 0.9;
    private static final double MOST = 0.75;
    /** A threshold of which F1 may be lower is a guess. */
    private static final double F1_MIN = 0.5;

    /**
     * A choice: pairs from a threshold on, by a shingle.
     *
     * @param place of the shingle in the pool
     * @param threshold above 0, at most 1
     * @param f1 expected over all pairs, 0 to 1
     */
    public record Cut(@JsonIgnore int place, String shingle, double threshold, double f1) {}

    /** Whether the answers tell enough to leave what the documents alone say. */
    @JsonProperty("isProposed")
    public boolean tellsEnough() {
        return f1Low >= F1_MIN && isBetter;
    }

    /** Whether it hardly depends on single answers. */
    @JsonProperty("isStable")
    public boolean isStable() {
        return stable >= MOST * RESAMPLES;
    }
}
