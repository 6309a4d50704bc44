package io.neardup.tools.analysis;

import io.neardup.engine.similarity.FastSimilaritySketch;
import io.neardup.engine.text.Shingles;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Documents by the values of their signatures, and how many values each of them shares with one that passes: locality-
 * sensitive hashing in bands of one row, so of the lowest threshold that there is. Two documents of Jaccard similarity
 * s share each value with probability s. Not thread-safe.
 */
final class SignatureIndex {
    /** All different ones, rising. */
    private final long[] keys;
    /** Of each key where its documents start; after the last one where they end. */
    private final int[] starts;
    /** The documents of one key after those of another, rising. */
    private final int[] holders;

    private final int[] shared;

    /** @param keysOf each document; one without any shares none */
    SignatureIndex(List<long[]> keysOf) {
        this.keys = keysOf.stream()
                .flatMapToLong(Arrays::stream)
                .sorted()
                .distinct()
                .toArray();
        int[][] placesOf = keysOf.stream().map(this::places).toArray(int[][]::new);
        this.starts = new int[keys.length + 1];
        for (int[] places : placesOf) {
            for (int place : places) {
                starts[place + 1]++;
            }
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        this.holders = new int[starts[keys.length]];
        int[] ends = starts.clone();
        for (int document = 0; document < placesOf.length; document++) {
            for (int place : placesOf[document]) {
                holders[ends[place]++] = document;
            }
        }
        this.shared = new int[placesOf.length];
    }

    private int[] places(long[] some) {
        return Arrays.stream(some)
                .mapToInt(key -> Arrays.binarySearch(keys, key))
                .filter(place -> place >= 0)
                .toArray();
    }

    /** The signature of some shingles, each value with its band; of no values where there are no shingles. */
    static long[] sign(Shingles shingles, FastSimilaritySketch sketch) {
        int[] values = shingles.size() == 0 ? new int[0] : sketch.sign(shingles);
        return IntStream.range(0, values.length)
                .mapToLong(band -> (long) band << Integer.SIZE | Integer.toUnsignedLong(values[band]))
                .toArray();
    }

    /** How many keys each of the first documents, so many, shares with others; valid until the next call. */
    int[] shared(long[] with, int count) {
        Arrays.fill(shared, 0, count, 0);
        for (int place : places(with)) {
            for (int at = starts[place]; at < starts[place + 1] && holders[at] < count; at++) {
                shared[holders[at]]++;
            }
        }
        return shared;
    }
}
