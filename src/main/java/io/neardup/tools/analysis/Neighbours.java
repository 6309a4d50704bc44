package io.neardup.tools.analysis;

import java.util.Arrays;
import java.util.Objects;

/**
 * How many documents have a neighbour of some similarity: a document of a large family counts no more than one of a
 * pair of copies. Of a family of 500 from one template all 125,000 pairs say the same thing; counted one by one they
 * would outweigh all else in a collection.
 *
 * <p>Similarities are in hundredths. A neighbour that stands for others counts as one document at the most. Not
 * thread-safe. Memory: 800 bytes a document.
 */
final class Neighbours {
    private static final int BINS = SimilarityCounts.BINS;

    private final float[][] pairs;
    private final int[][] halves;

    /** Of so many documents, numbered from 0. */
    Neighbours(int documents) {
        this.pairs = new float[documents][];
        this.halves = new int[documents][];
    }

    /**
     * Counts a neighbour of a document.
     *
     * @param weight neighbours that it stands for
     * @param mask the halves of the collection in which both are
     */
    void add(int document, int bin, double weight, int mask) {
        if (pairs[document] == null) {
            pairs[document] = new float[BINS];
            halves[document] = new int[BINS];
        }
        pairs[document][bin] += (float) weight;
        halves[document][bin] |= mask;
    }

    /** Documents with a neighbour in the bins from one to another, the latter left out. */
    double documents(int fromBin, int toBin) {
        double documents = 0;
        for (float[] row : pairs) {
            documents += row == null ? 0 : Math.min(1, sum(row, fromBin, toBin));
        }
        return documents;
    }

    /** How many neighbours half of the documents that have any have at the most, in a bin and all above it. */
    double typicalFrom(int fromBin) {
        double[] counts = Arrays.stream(pairs)
                .filter(Objects::nonNull)
                .mapToDouble(row -> sum(row, fromBin, BINS))
                .filter(neighbours -> neighbours > 0)
                .sorted()
                .toArray();
        return counts.length == 0 ? 0 : counts[(counts.length - 1) / 2];
    }

    private static double sum(float[] row, int fromBin, int toBin) {
        double sum = 0;
        for (int bin = fromBin; bin < toBin; bin++) {
            sum += row[bin];
        }
        return sum;
    }

    /** Documents of a half of the collection with a neighbour there in the bins from one to another. */
    double documentsOfHalf(int half, int fromBin, int toBin) {
        int documents = 0;
        for (int[] row : halves) {
            int any = 0;
            for (int bin = fromBin; row != null && bin < toBin; bin++) {
                any |= row[bin];
            }
            documents += any >>> half & 1;
        }
        return documents;
    }
}
