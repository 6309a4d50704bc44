package io.neardup.tools.analysis;

import io.neardup.engine.text.Shingling;
import java.util.List;
import java.util.Optional;

/** What was measured by one shingle. Not changed any more. */
public final class MeasuredShingle {
    private final Shingling shingling;
    private final int typicalShingles;
    private final PairTally tally;
    private final Optional<Valley> valley;

    MeasuredShingle(Shingling shingling, int typicalShingles, PairTally tally) {
        this.shingling = shingling;
        this.typicalShingles = typicalShingles;
        this.tally = tally;
        this.valley = typicalShingles >= PairTally.TOGETHER_MIN ? tally.valley() : Optional.empty();
    }

    /** Such as {@code char:9}. */
    public String shingle() {
        return shingling.spec();
    }

    /** How the documents were cut, and what of it did not count. */
    public Shingling shingling() {
        return shingling;
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
        return valley;
    }

    /** The valley of one of the {@link PairTally#RESAMPLES} halves, which are the same for all shingles. */
    Optional<Valley> valleyOfHalf(int half) {
        return valley.flatMap(whole -> tally.valleyOfHalf(half, whole.bulk()));
    }

    /** Some pairs below a similarity, the most similar first. */
    public List<PairExample> below(double similarity, int max) {
        return tally.examples().below(similarity, max);
    }

    /** Some pairs of a similarity and above, the least similar first. */
    public List<PairExample> from(double similarity, int max) {
        return tally.examples().from(similarity, max);
    }
}
