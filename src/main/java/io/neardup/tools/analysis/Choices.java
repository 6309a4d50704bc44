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
public final class Choices {
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
    public record Choice(@JsonIgnore int place, String shingle, double threshold, double f1) {}

    private final PairPool pool;
    /** Of each shingle the pairs from the most similar to the least. */
    private final int[][] orders;

    Choices(PairPool pool) {
        this.pool = pool;
        this.orders = IntStream.range(0, pool.shingles().size())
                .mapToObj(shingle -> PairPool.falling(pool.similarities(shingle)))
                .toArray(int[][]::new);
    }

    Choice best(double[] chances) {
        return byShingle(chances).stream()
                .max(Comparator.comparingDouble(Choice::f1))
                .orElseThrow();
    }

    /** The best of each shingle, in the order of the pool. */
    List<Choice> byShingle(double[] chances) {
        double actual = actual(chances);
        List<Choice> choices = new ArrayList<>();
        for (int shingle = 0; shingle < orders.length; shingle++) {
            choices.add(best(shingle, chances, actual));
        }
        return choices;
    }

    private Choice best(int shingle, double[] chances, double actual) {
        double[] scores = scores(shingle, chances, actual);
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
        return new Choice(shingle, pool.shingles().get(shingle), threshold, best);
    }

    /** F1 with each pair as the last that is at or above the threshold; 0 where the next one is as similar. */
    private double[] scores(int shingle, double[] chances, double actual) {
        int[] order = orders[shingle];
        double[] scores = new double[order.length];
        double predicted = 0;
        double correct = 0;
        for (int i = 0; i < order.length; i++) {
            int pair = order[i];
            predicted += pool.weight(pair);
            correct += pool.weight(pair) * chances[pair];
            boolean isLast =
                    i + 1 == order.length || pool.similarity(shingle, order[i + 1]) < pool.similarity(shingle, pair);
            scores[i] = isLast ? 2 * correct / (predicted + actual) : 0;
        }
        return scores;
    }

    private double actual(double[] chances) {
        double actual = 0;
        for (int pair = 0; pair < chances.length; pair++) {
            actual += pool.weight(pair) * chances[pair];
        }
        return actual;
    }

    double f1(Choice choice, double[] chances) {
        double predicted = 0;
        double correct = 0;
        for (int pair = 0; pair < chances.length; pair++) {
            if (isAtOrAbove(choice, pair)) {
                predicted += pool.weight(pair);
                correct += pool.weight(pair) * chances[pair];
            }
        }
        return 2 * correct / (predicted + actual(chances));
    }

    boolean isAtOrAbove(Choice choice, int pair) {
        return pool.similarity(choice.place(), pair) >= choice.threshold();
    }
}
