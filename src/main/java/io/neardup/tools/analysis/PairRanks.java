package io.neardup.tools.analysis;

import java.util.Arrays;

/**
 * Where the pairs of a pool stand by each shingle: the logarithm of how many pairs are at least as similar. In this
 * measure shingles can be compared: a similarity of 0.5 is much by one and little by another.
 */
final class PairRanks {
    private final int shingles;
    /** Of each pair the mean over the shingles. */
    private final float[] means;
    /** Of each shingle and pair, beside the mean. */
    private final float[][] deviations;

    PairRanks(PairPool pool) {
        this.shingles = pool.shingles().size();
        this.means = new float[pool.size()];
        this.deviations = new float[shingles][pool.size()];
        for (int shingle = 0; shingle < shingles; shingle++) {
            rank(pool, shingle, deviations[shingle]);
        }
        for (int pair = 0; pair < means.length; pair++) {
            double sum = 0;
            for (float[] ranks : deviations) {
                sum += ranks[pair];
            }
            means[pair] = (float) (sum / shingles);
            for (float[] ranks : deviations) {
                ranks[pair] -= means[pair];
            }
        }
    }

    private static void rank(PairPool pool, int shingle, float[] into) {
        float[] sorted = new float[into.length];
        for (int pair = 0; pair < sorted.length; pair++) {
            sorted[pair] = pool.similarity(shingle, pair);
        }
        Arrays.sort(sorted);
        for (int pair = 0; pair < into.length; pair++) {
            into[pair] = (float) Math.log(sorted.length - below(sorted, pool.similarity(shingle, pair)));
        }
    }

    /** How many are less. */
    private static int below(float[] sorted, float value) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    int pairs() {
        return means.length;
    }

    int shingles() {
        return shingles;
    }

    /** The mean over the shingles, from 0 for the most similar pairs to the logarithm of the number of pairs. */
    float mean(int pair) {
        return means[pair];
    }

    /** What the rank by a shingle is above the mean. */
    float deviation(int shingle, int pair) {
        return deviations[shingle][pair];
    }
}
