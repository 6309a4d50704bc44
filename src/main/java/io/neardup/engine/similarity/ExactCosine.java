package io.neardup.engine.similarity;

import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;

/**
 * The exact cosine of two texts' weight vectors: how often each shingle occurs, times its weight. Shares count distinct
 * shingles, without repeats.
 */
public final class ExactCosine extends ExactJudge {
    private final VectorTable table;

    /**
     * A judge with a shingler of its own: both keep scratch buffers, so no other thread may use either.
     *
     * @param weights for the hashes of this shingler
     */
    public ExactCosine(Shingler shingler, ShingleWeights weights) {
        super(shingler);
        this.table = new VectorTable(weights);
    }

    @Override
    void load(Shingles first) {
        table.load(first);
    }

    @Override
    Similarity similarityTo(Shingles second) {
        return table.cosine(second);
    }
}
