package io.neardup.tools.analysis;

import java.util.Arrays;

/** The most similar pairs of those that are told, within a bound. */
final class TopPairs implements PairSink {
    private final int pairsMax;
    private long[] keys = new long[1 << 10];
    private double[] similarities = new double[1 << 10];
    private int size;
    /** Pairs below it are not kept. */
    private double floor;

    /** @param pairsMax at least 1; of equally similar ones at the bound all are left out */
    TopPairs(int pairsMax) {
        this.pairsMax = pairsMax;
    }

    @Override
    public void pair(int first, int second, double jaccard) {
        if (jaccard >= floor) {
            if (size == keys.length) {
                keys = Arrays.copyOf(keys, 2 * size);
                similarities = Arrays.copyOf(similarities, 2 * size);
            }
            keys[size] = (long) first << Integer.SIZE | second;
            similarities[size++] = jaccard;
            if (size > 2 * pairsMax) {
                prune();
            }
        }
    }

    /** Keeps the most similar ones, at most as many as the bound. */
    private void prune() {
        double[] sorted = Arrays.copyOf(similarities, size);
        Arrays.sort(sorted);
        floor = Math.nextUp(sorted[size - pairsMax - 1]);
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (similarities[i] >= floor) {
                keys[kept] = keys[i];
                similarities[kept++] = similarities[i];
            }
        }
        size = kept;
    }

    /** The number of the earlier document of each pair in the upper half, of the later one in the lower. */
    long[] keys() {
        if (size > pairsMax) {
            prune();
        }
        return Arrays.copyOf(keys, size);
    }
}
