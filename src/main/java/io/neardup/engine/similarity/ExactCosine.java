package io.neardup.engine.similarity;

import io.neardup.engine.text.Overlap;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.util.Arrays;

/**
 * The exact cosine of two texts' weight vectors: how often each shingle occurs, times its weight. Shares count distinct
 * shingles, without repeats. Exact as long as the sums of squares are below 2^53, and rounded beyond.
 *
 * <p>Each distinct hash of either text has its counts in both texts at its place in a table. The other's hashes leave
 * the table after each comparison.
 */
public final class ExactCosine extends ExactJudge {
    private final ShingleWeights weightOf;
    private final HashTable table = new HashTable();
    private int[] weights = new int[0];
    private int[] ownCounts = new int[0];
    private int[] otherCounts = new int[0];
    private int own;

    /** @param weights for the hashes of this shingler, which is the judge's own */
    public ExactCosine(Shingler shingler, ShingleWeights weights) {
        super(shingler);
        this.weightOf = weights;
    }

    @Override
    void load(Shingles first) {
        table.clear(first.size());
        makeRoom(first.size());
        count(first, ownCounts);
        own = table.size();
    }

    @Override
    Similarity similarityTo(Shingles second, double threshold) {
        table.makeRoomFor(second.size());
        makeRoom(own + second.size());
        Arrays.fill(otherCounts, 0, own, 0);
        count(second, otherCounts);
        Similarity similarity = compare();
        table.shrink(own);
        return similarity;
    }

    private Similarity compare() {
        double product = 0;
        double ownSquares = 0;
        double otherSquares = 0;
        int common = 0;
        int all = table.size();
        for (int place = 0; place < all; place++) {
            double weight = weights[place];
            double a = weight * ownCounts[place];
            double b = weight * otherCounts[place];
            product += a * b;
            ownSquares += a * a;
            otherSquares += b * b;
            common += place < own && otherCounts[place] > 0 ? 1 : 0;
        }
        if (common == 0) {
            return Similarity.NONE;
        }
        double cosine = Math.min(1, product / Math.sqrt(ownSquares * otherSquares));
        Overlap overlap = new Overlap(own, all - own + common, common);
        return new Similarity(cosine, overlap.ofFirst(), overlap.ofSecond());
    }

    private void count(Shingles shingles, int[] counts) {
        long[] met = shingles.array();
        for (int i = 0; i < shingles.size(); i++) {
            int known = table.size();
            int place = table.join(met[i]);
            if (place == known) {
                weights[place] = weightOf.of(met[i]);
                ownCounts[place] = 0;
                otherCounts[place] = 0;
            }
            counts[place]++;
        }
    }

    private void makeRoom(int needed) {
        boolean wasteful = ownCounts.length > HashTable.CAPACITY_KEPT && needed <= HashTable.CAPACITY_KEPT / 2;
        if (ownCounts.length < needed || wasteful) {
            int room = needed + (needed >> 1);
            weights = Arrays.copyOf(weights, room);
            ownCounts = Arrays.copyOf(ownCounts, room);
            otherCounts = Arrays.copyOf(otherCounts, room);
        }
    }
}
