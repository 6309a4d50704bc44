package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Finds the shingle and the threshold of the highest F1 that is expected, where each pair of the pool has a chance to
 * be the same. All pairs count; one that is not in the pool has no chance.
 */
public final class Cuts {
    /** Thresholds that cost no more F1 are as good: the middle of them is taken. */
    private static final double EQUALLY_GOOD = 0.002;

    private static final double HUNDREDTHS = 100;

    /**
     * A choice: pairs from a threshold on, by a shingle.
     *
     * @param place of the shingle in the pool
     * @param threshold above 0, at most 1
     * @param f1 expected over all pairs, 0 to 1
     */
    public record Cut(@JsonIgnore int place, String shingle, double threshold, double f1) {}

    private final PairPool pool;
    /** Of each shingle the pairs from the most similar to the least. */
    private final int[][] orders;

    Cuts(PairPool pool) {
        this.pool = pool;
        this.orders = IntStream.range(0, pool.shingles().size())
                .mapToObj(shingle -> PairPool.falling(pool.similarities(shingle)))
                .toArray(int[][]::new);
    }

    Cut best(double[] chances) {
        return byShingle(chances).stream()
                .max(Comparator.comparingDouble(Cut::f1))
                .orElseThrow();
    }

    /** The best of each shingle, in the order of the pool. */
    List<Cut> byShingle(double[] chances) {
        double wanted = wanted(chances);
        List<Cut> cuts = new ArrayList<>();
        for (int shingle = 0; shingle < orders.length; shingle++) {
            cuts.add(best(shingle, chances, wanted));
        }
        return cuts;
    }

    private Cut best(int shingle, double[] chances, double wanted) {
        double[] scores = scores(shingle, chances, wanted);
        double best = DoubleStream.of(scores).max().orElse(0);
        int[] order = orders[shingle];
        double high = 1;
        double low = 1;
        boolean isFirst = true;
        for (int i = 0; i < scores.length; i++) {
            if (scores[i] >= best - EQUALLY_GOOD && scores[i] > 0) {
                low = pool.similarity(shingle, order[i]);
                high = isFirst ? low : high;
                isFirst = false;
            }
        }
        double threshold = Math.max(1, Math.round((low + high) / 2 * HUNDREDTHS)) / HUNDREDTHS;
        return new Cut(shingle, pool.shingles().get(shingle), threshold, best);
    }

    /** F1 with each pair as the last that is told; 0 where the next one is as similar. */
    private double[] scores(int shingle, double[] chances, double wanted) {
        int[] order = orders[shingle];
        double[] scores = new double[order.length];
        double told = 0;
        double right = 0;
        for (int i = 0; i < order.length; i++) {
            int pair = order[i];
            told += pool.weight(pair);
            right += pool.weight(pair) * chances[pair];
            boolean isLast =
                    i + 1 == order.length || pool.similarity(shingle, order[i + 1]) < pool.similarity(shingle, pair);
            scores[i] = isLast ? 2 * right / (told + wanted) : 0;
        }
        return scores;
    }

    private double wanted(double[] chances) {
        double wanted = 0;
        for (int pair = 0; pair < chances.length; pair++) {
            wanted += pool.weight(pair) * chances[pair];
        }
        return wanted;
    }

    double f1(Cut cut, double[] chances) {
        double told = 0;
        double right = 0;
        for (int pair = 0; pair < chances.length; pair++) {
            if (isTold(cut, pair)) {
                told += pool.weight(pair);
                right += pool.weight(pair) * chances[pair];
            }
        }
        return 2 * right / (told + wanted(chances));
    }

    boolean isTold(Cut cut, int pair) {
        return pool.similarity(cut.place(), pair) >= cut.threshold();
    }
}
