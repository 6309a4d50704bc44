package io.neardup.tools.analysis;

import io.neardup.engine.similarity.FastSimilaritySketch;
import io.neardup.engine.text.Overlap;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Documents by the values of their signatures, and how many values each of them shares with one that passes: locality-
 * sensitive hashing in bands of one row, so of the lowest threshold that there is. Two documents of Jaccard similarity
 * s share each value with probability s. Not thread-safe.
 */
final class SignatureIndex {
    /** Values where all pairs from a floor on are to be found. */
    private static final int VALUES_MAX = FastSimilaritySketch.SIZE_MAX;
    /** Standard deviations of a binomial distribution: so few values are shared by one in a billion. */
    private static final double DEVIATIONS = 6;

    /** Of each value the numbers in the upper halves, rising, and the documents that have them in the lower. */
    private final long[][] bands;

    private final int[] shared;

    /** @param signatures of the documents, each of so many values, or of none: these meet nobody */
    SignatureIndex(List<int[]> signatures, int values) {
        this.bands = new long[values][];
        this.shared = new int[signatures.size()];
        int[] signed = IntStream.range(0, signatures.size())
                .filter(document -> signatures.get(document).length > 0)
                .toArray();
        for (int band = 0; band < values; band++) {
            int at = band;
            bands[band] = Arrays.stream(signed)
                    .mapToLong(document -> entry(signatures.get(document)[at], document))
                    .sorted()
                    .toArray();
        }
    }

    private static long entry(int value, int document) {
        return (long) value << Integer.SIZE | document;
    }

    /** The signature of some shingles; of no values where there are none. */
    static int[] sign(Shingles shingles, FastSimilaritySketch sketch) {
        return shingles.size() == 0 ? new int[0] : sketch.sign(shingles);
    }

    /** How many values each of the first documents, so many, shares with a signature; valid until the next call. */
    int[] shared(int[] signature, int count) {
        Arrays.fill(shared, 0, count, 0);
        for (int band = 0; band < signature.length; band++) {
            long[] entries = bands[band];
            int at = Arrays.binarySearch(entries, entry(signature[band], 0));
            for (at = at < 0 ? -at - 1 : at; at < entries.length && entries[at] < entry(signature[band], count); at++) {
                shared[(int) entries[at]]++;
            }
        }
        return shared;
    }

    /** Takes pairs of texts, each once, the earlier one first. */
    @FunctionalInterface
    interface Sink {
        void pair(int first, int second, double jaccard);

        /** Whether to compare two texts; of no consequence but for the work. */
        default boolean wants(int first, int second) {
            return true;
        }
    }

    /**
     * Texts of which all pairs from a floor on can be told. Where they have no more shingles, on the average, than a
     * signature has values, these are taken as they are, and what two texts share is exact.
     */
    static final class Pairs {
        private final List<ShingleSet> sets = new ArrayList<>();
        private final boolean isExact;
        /** Of each text its keys, by their places among all: values of its signature, or its shingles. */
        private final int[][] keys;
        /** Of each key where its texts start; behind the last one where they end. */
        private final int[] starts;
        /** The texts of one key after those of another, rising. */
        private final int[] holders;

        /** @param progress is told how many texts have been cut */
        Pairs(List<ComparedText> texts, Shingler shingler, IntConsumer progress) {
            Shingles shingles = new Shingles();
            for (ComparedText text : texts) {
                sets.add(text.shingles(shingler, shingles));
                progress.accept(sets.size());
            }
            this.isExact = sets.stream().mapToLong(ShingleSet::size).sum() <= (long) VALUES_MAX * sets.size();
            FastSimilaritySketch sketch = new FastSimilaritySketch(VALUES_MAX);
            long[][] values = sets.stream()
                    .map(set -> isExact ? hashes(set).toArray() : values(set, sketch))
                    .toArray(long[][]::new);
            long[] all = Arrays.stream(values)
                    .flatMapToLong(Arrays::stream)
                    .sorted()
                    .distinct()
                    .toArray();
            this.keys = Arrays.stream(values)
                    .map(ofText -> Arrays.stream(ofText)
                            .mapToInt(key -> Arrays.binarySearch(all, key))
                            .toArray())
                    .toArray(int[][]::new);
            this.starts = new int[all.length + 1];
            for (int[] ofText : keys) {
                for (int key : ofText) {
                    starts[key + 1]++;
                }
            }
            Arrays.parallelPrefix(starts, Integer::sum);
            this.holders = new int[starts[all.length]];
            int[] ends = starts.clone();
            for (int text = 0; text < keys.length; text++) {
                for (int key : keys[text]) {
                    holders[ends[key]++] = text;
                }
            }
        }

        private static LongStream hashes(ShingleSet set) {
            return IntStream.range(0, set.size()).mapToLong(set::hash);
        }

        /** The values of a signature, each with its band. */
        private static long[] values(ShingleSet set, FastSimilaritySketch sketch) {
            Shingles shingles = new Shingles();
            hashes(set).forEach(shingles::add);
            int[] signature = sign(shingles, sketch);
            return IntStream.range(0, signature.length)
                    .mapToLong(band -> (long) band << Integer.SIZE | Integer.toUnsignedLong(signature[band]))
                    .toArray();
        }

        /**
         * Tells all pairs whose Jaccard similarity reaches a floor, and no others. By signatures, one just at the floor
         * is missed with a chance of one in a billion (for floors below 0.1, where few shared values tell, one in
         * 100,000).
         *
         * @param floor above 0, at most 1
         * @param progress is told how many texts have been compared with all before
         * @param stepsMax shingles that are compared, of a few nanoseconds each; one text may exceed it
         * @return whether that was enough; else only some of the pairs were told
         */
        boolean join(double floor, Sink sink, IntConsumer progress, long stepsMax) {
            double expected = floor * VALUES_MAX;
            int least = isExact ? 1 : (int) Math.max(1, expected - DEVIATIONS * Math.sqrt(expected * (1 - floor)));
            int[] shared = new int[sets.size()];
            long steps = 0;
            for (int second = 0; second < sets.size() && steps <= stepsMax; second++) {
                countShared(second, shared);
                for (int first = 0; first < second; first++) {
                    if (shared[first] >= least && canReach(floor, first, second) && sink.wants(first, second)) {
                        steps += isExact
                                ? 1
                                : sets.get(first).size() + sets.get(second).size();
                        double jaccard = jaccard(first, second, shared[first]);
                        if (jaccard >= floor) {
                            sink.pair(first, second, jaccard);
                        }
                    }
                }
                progress.accept(second + 1);
            }
            return steps <= stepsMax;
        }

        /** How many keys the texts before one share with it. */
        private void countShared(int text, int[] shared) {
            Arrays.fill(shared, 0, text, 0);
            for (int key : keys[text]) {
                for (int at = starts[key]; holders[at] < text; at++) {
                    shared[holders[at]]++;
                }
            }
        }

        private double jaccard(int first, int second, int shared) {
            ShingleSet one = sets.get(first);
            ShingleSet other = sets.get(second);
            return isExact ? new Overlap(one.size(), other.size(), shared).jaccard() : one.jaccard(other);
        }

        /** Whether the sizes allow it; the slack is for the rounding of doubles. */
        private boolean canReach(double floor, int first, int second) {
            int one = sets.get(first).size();
            int other = sets.get(second).size();
            return Math.min(one, other) >= floor * Math.max(one, other) - 1e-6;
        }
    }
}
