package io.neardup.analysis;

import java.util.List;
import java.util.Optional;

/** What was measured by one shingle. Not changed any more. */
public final class MeasuredShingle {
    private final String shingle;
    private final int typicalShingles;
    private final PairTally tally;

    MeasuredShingle(String shingle, int typicalShingles, PairTally tally) {
        this.shingle = shingle;
        this.typicalShingles = typicalShingles;
        this.tally = tally;
    }

    /** Such as {@code char:9}. */
    public String shingle() {
        return shingle;
    }

    /** Different shingles that half of the documents have at the most. */
    public int typicalShingles() {
        return typicalShingles;
    }

    /** All pairs that were measured. */
    public SimilarityCounts counts() {
        return tally.counts();
    }

    /**
     * The valley between the unrelated and the copies; none where most documents have so few shingles that their
     * similarities are a comb.
     */
    public Optional<Valley> valley() {
        return isFine() ? tally.valley() : Optional.empty();
    }

    /** The valley of one of the {@link PairTally#RESAMPLES} halves, which are the same for all shingles. */
    Optional<Valley> valleyOfHalf(int half) {
        return isFine() ? tally.valleyOfHalf(half) : Optional.empty();
    }

    /** Some pairs below a similarity, the most similar first. */
    public List<PairExample> below(double similarity, int max) {
        return tally.examples().below(similarity, max);
    }

    /** Some pairs of a similarity and above, the least similar first. */
    public List<PairExample> from(double similarity, int max) {
        return tally.examples().from(similarity, max);
    }

    private boolean isFine() {
        return typicalShingles >= PairTally.TOGETHER_MIN;
    }
}
