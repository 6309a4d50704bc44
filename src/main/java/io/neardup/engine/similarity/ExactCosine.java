package io.neardup.engine.similarity;

import io.neardup.engine.text.Overlap;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.util.Arrays;

/**
 * The exact cosine of two texts' weight vectors: how often each shingle occurs, times its weight. Shares count distinct
 * shingles, without repeats. Exact as long as the sums of squares are below 2^53, and rounded beyond.
 *
 * <p>The distinct hashes of both texts stand in the order in which they were met, each with its counts in both texts. A
 * table with open addressing says where each is. The other's hashes leave after each comparison.
 */
public final class ExactCosine extends ExactJudge {
    private final ShingleWeights weightOf;
    /** The place of a hash, plus 1; 0 is free. */
    private int[] slots = new int[0];

    private long[] hashes = new long[0];
    private int[] weights = new int[0];
    private int[] ownCounts = new int[0];
    private int[] otherCounts = new int[0];
    private int mask;
    private int own;
    private int all;

    /**
     * A judge with a shingler of its own: both keep scratch buffers, so no other thread may use either.
     *
     * @param weights for the hashes of this shingler
     */
    public ExactCosine(Shingler shingler, ShingleWeights weights) {
        super(shingler);
        this.weightOf = weights;
    }

    @Override
    void load(Shingles first) {
        all = 0;
        makeRoom(first.size());
        reset(4L * first.size());
        count(first, ownCounts);
        own = all;
    }

    @Override
    Similarity similarityTo(Shingles second, double threshold) {
        int most = Math.addExact(own, second.size());
        makeRoom(most);
        if (mask + 1 < 2L * most) {
            reset(2L * most);
        }
        Arrays.fill(otherCounts, 0, own, 0);
        count(second, otherCounts);
        Similarity similarity = compare();
        while (all > own) {
            all--;
            slots[slotOf(hashes[all])] = 0;
        }
        return similarity;
    }

    private Similarity compare() {
        double product = 0;
        double ownSquares = 0;
        double otherSquares = 0;
        int common = 0;
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
            int slot = slotOf(met[i]);
            if (slots[slot] == 0) {
                hashes[all] = met[i];
                weights[all] = weightOf.of(met[i]);
                ownCounts[all] = 0;
                otherCounts[all] = 0;
                slots[slot] = ++all;
            }
            counts[slots[slot] - 1]++;
        }
    }

    private int slotOf(long hash) {
        return HashTable.slotOf(hash, slots, hashes, mask);
    }

    /** Empties the table, makes it large enough, and fills it with the hashes that stand. */
    private void reset(long capacityMin) {
        int capacity = HashTable.capacityFrom(capacityMin);
        slots = HashTable.emptied(slots, capacity);
        mask = capacity - 1;
        for (int place = 0; place < all; place++) {
            slots[slotOf(hashes[place])] = place + 1;
        }
    }

    private void makeRoom(int needed) {
        boolean wasteful = hashes.length > HashTable.CAPACITY_KEPT && needed <= HashTable.CAPACITY_KEPT / 2;
        if (hashes.length < needed || wasteful) {
            int room = needed + (needed >> 1);
            hashes = Arrays.copyOf(hashes, room);
            weights = Arrays.copyOf(weights, room);
            ownCounts = Arrays.copyOf(ownCounts, room);
            otherCounts = Arrays.copyOf(otherCounts, room);
        }
    }
}
