package io.neardup.engine.similarity;

import io.neardup.engine.text.Shingles;
import java.util.Arrays;

/**
 * Sums the weights of the ones in each of 64 columns of many words. A word is eight bytes. There is a sum for each of
 * the 8 places and each of the 256 values that a byte can have. A byte adds the weight to one of them: 8 additions a
 * word, not 64. In the end the columns' sums are taken from these 8 x 256. All are whole numbers, so the order of the
 * words does not matter.
 */
final class WeightedCounts implements Majority {
    private static final int VALUES = 1 << Byte.SIZE;

    private final ShingleWeights weightOf;
    private final long[] sums = new long[Long.BYTES * VALUES];
    private final long[] columns = new long[Long.SIZE];
    private int[] weights = new int[0];
    private long total;

    WeightedCounts(ShingleWeights weightOf) {
        this.weightOf = weightOf;
    }

    @Override
    public void weigh(Shingles features) {
        int count = features.size();
        if (weights.length < count) {
            weights = new int[count + (count >> 1)];
        }
        total = 0;
        long[] hashes = features.array();
        for (int i = 0; i < count; i++) {
            weights[i] = weightOf.of(hashes[i]);
            total += weights[i];
        }
    }

    @Override
    public void count(long[] words, int count) {
        Arrays.fill(sums, 0);
        long[] to = sums;
        for (int i = 0; i < count; i++) {
            long word = words[i];
            long weight = weights[i];
            for (int place = 0; place < Long.BYTES; place++) {
                to[place * VALUES + ((int) (word >>> (place * Byte.SIZE)) & (VALUES - 1))] += weight;
            }
        }
        for (int place = 0; place < Long.BYTES; place++) {
            fold(place);
        }
    }

    /**
     * From the highest bit down: the values with the bit set are the upper half; their sums are then added to the lower
     * half.
     */
    private void fold(int place) {
        int start = place * VALUES;
        for (int bit = Byte.SIZE - 1; bit >= 0; bit--) {
            int half = 1 << bit;
            long withBit = 0;
            for (int value = start; value < start + half; value++) {
                withBit += sums[value + half];
                sums[value] += sums[value + half];
            }
            columns[place * Byte.SIZE + bit] = withBit;
        }
    }

    @Override
    public long positive() {
        long bits = 0;
        for (int column = 0; column < Long.SIZE; column++) {
            bits |= (2 * columns[column] > total ? 1L : 0L) << column;
        }
        return bits;
    }

    @Override
    public long tied() {
        long bits = 0;
        for (int column = 0; column < Long.SIZE; column++) {
            bits |= (2 * columns[column] == total ? 1L : 0L) << column;
        }
        return bits;
    }
}
