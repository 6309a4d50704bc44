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

    private static final int HUNDREDTHS = 100;

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
        int low = 1;
        while (scores[low] < best) {
            low++;
        }
        int high = low;
        while (low > 1 && scores[low - 1] >= best - EQUALLY_GOOD) {
            low--;
        }
        while (high < HUNDREDTHS && scores[high + 1] >= best - EQUALLY_GOOD) {
            high++;
        }
        int middle = (low + high) / 2;
        return new Choice(shingle, pool.shingles().get(shingle), threshold(middle), scores[middle]);
    }

    /** F1 by each threshold that may be proposed, in hundredths. */
    private double[] scores(int shingle, double[] chances, double actual) {
        int[] order = orders[shingle];
        double[] scores = new double[HUNDREDTHS + 1];
        double predicted = 0;
        double correct = 0;
        int next = 0;
        for (int hundredths = HUNDREDTHS; hundredths > 0; hundredths--) {
            for (; next < order.length && pool.similarity(shingle, order[next]) >= threshold(hundredths); next++) {
                predicted += pool.weight(order[next]);
                correct += pool.weight(order[next]) * chances[order[next]];
            }
            scores[hundredths] = predicted == 0 ? 0 : 2 * correct / (predicted + actual);
        }
        return scores;
    }

    private static double threshold(int hundredths) {
        return hundredths / (double) HUNDREDTHS;
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
