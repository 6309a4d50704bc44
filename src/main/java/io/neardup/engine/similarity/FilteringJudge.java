package io.neardup.engine.similarity;

/** Judges documents without what does not count, and tells how similar they are with it. */
public final class FilteringJudge implements SimilarityJudge {
    private final SimilarityJudge counting;
    private final SimilarityJudge all;

    /**
     * A judge of two.
     *
     * @param counting leaves out what does not count
     * @param all leaves out nothing; of the same evidence
     */
    public FilteringJudge(SimilarityJudge counting, SimilarityJudge all) {
        this.counting = counting;
        this.all = all;
    }

    @Override
    public Similarity similarity(Evidence a, Evidence b) {
        return counting.similarity(a, b);
    }

    @Override
    public double whole(Evidence a, Evidence b) {
        return all.similarity(a, b).value();
    }
}
