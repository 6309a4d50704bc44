package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * How well a set of pairs that was told fits the set of pairs that should be.
 *
 * @param told pairs
 * @param right those of them that should be
 * @param wanted pairs that should be
 */
public record Score(
        @JsonProperty("pairs") long told,
        long right,
        @JsonIgnore long wanted) {

    /** The share of what was told that is right, 0 to 1; NaN where nothing was told. */
    @JsonProperty
    public double precision() {
        return right / (double) told;
    }

    /** The share of what is wanted that was told, 0 to 1; NaN where nothing is wanted. */
    @JsonProperty
    public double recall() {
        return right / (double) wanted;
    }

    /** The harmonic mean of precision and recall, 0 to 1; NaN where nothing is told or wanted. */
    @JsonProperty
    public double f1() {
        return 2.0 * right / (told + wanted);
    }
}
