package io.neardup.tools.analysis;

/**
 * How well a set of pairs that was told fits the set of pairs that should be.
 *
 * @param told pairs
 * @param right those of them that should be
 * @param wanted pairs that should be
 */
public record Score(long told, long right, long wanted) {

    /** The share of what was told that is right, 0 to 1; NaN where nothing was told. */
    public double precision() {
        return right / (double) told;
    }

    /** The share of what is wanted that was told, 0 to 1; NaN where nothing is wanted. */
    public double recall() {
        return right / (double) wanted;
    }

    /** The harmonic mean of precision and recall, 0 to 1; NaN where nothing is told or wanted. */
    public double f1() {
        return 2.0 * right / (told + wanted);
    }
}
