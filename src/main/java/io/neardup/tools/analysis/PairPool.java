package io.neardup.tools.analysis;

import io.neardup.record.Document;
import io.neardup.tools.analysis.PairSample.Limits;
import io.neardup.tools.feed.Progress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The pairs of documents that may be duplicates by any of several shingles, how similar they are by each, and where
 * they stand: the logarithm of how many pairs are at least as similar. In this measure shingles can be compared: a
 * similarity of 0.5 is much by one and little by another. A pair counts for those that it stands for in its
 * {@link PairSample}.
 *
 * <p>Each shingle adds its most similar pairs, within a bound on their number. A pair that no shingle adds is taken to
 * be no duplicate.
 */
public final class PairPool {
    /** Pairs below it by all shingles are not looked at. */
    private static final double FLOOR = 0.05;

    private static final int PAIRS_MAX = 50_000;
    private static final Limits LIMITS =
            new Limits(Integer.MAX_VALUE, Long.MAX_VALUE, PAIRS_MAX, false, 1_000_000_000L);

    private final List<String> shingles;
    private final PairSample sample;
    /** Of each pair the place in the sample, in the order of their documents. */
    private final int[] places;

    private final double[] weights;
    private final double[][] similarities;
    /** Of each shingle: all pairs, those that are not in the pool too. */
    private final List<SimilarityCounts> counts = new ArrayList<>();
    /** Of each shingle the ranks of the pairs by it, and of each pair the mean over the shingles. */
    private final double[][] ranks;

    private final double[] meanRanks;

    /**
     * @param documents of different texts, as a pair of equal ones needs no question
     * @param targets whose shingles are tried
     */
    public PairPool(List<Document> documents, TuningTargets targets, Progress progress) {
        this.shingles = List.copyOf(targets.shingles());
        this.sample = PairSample.of(
                ComparedText.all(documents, targets.shingling().letterCase()),
                targets.shingling(PairSample.SCREEN).whole().shingler(0),
                LIMITS);
        double[][] measured = new double[shingles.size()][];
        for (int shingle = 0; shingle < measured.length; shingle++) {
            progress.update(
                    String.format(Locale.ROOT, "%s: comparing %,d pairs", shingles.get(shingle), sample.size()));
            measured[shingle] = sample.similarities(targets.shingling(shingles.get(shingle)))
                    .jaccards();
            counts.add(sample.counts(measured[shingle]));
        }
        this.places = chosen(measured);
        this.weights = IntStream.of(places).mapToDouble(sample::weight).toArray();
        this.similarities = Arrays.stream(measured)
                .map(by -> IntStream.of(places).mapToDouble(pair -> by[pair]).toArray())
                .toArray(double[][]::new);
        this.ranks = Arrays.stream(similarities).map(this::ranks).toArray(double[][]::new);
        this.meanRanks = IntStream.range(0, places.length)
                .mapToDouble(
                        pair -> Arrays.stream(ranks).mapToDouble(by -> by[pair]).sum() / ranks.length)
                .toArray();
    }

    private int[] chosen(double[][] measured) {
        BitSet chosen = new BitSet();
        for (double[] by : measured) {
            int[] falling = falling(by);
            double taken = 0;
            for (int i = 0; i < falling.length && taken < PAIRS_MAX && by[falling[i]] >= FLOOR; i++) {
                chosen.set(falling[i]);
                taken += sample.weight(falling[i]);
            }
        }
        return chosen.stream()
                .boxed()
                .sorted(Comparator.comparingInt(
                                (Integer pair) -> sample.first(pair).number())
                        .thenComparingInt(pair -> sample.second(pair).number()))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** The places of values from the greatest to the least. */
    static int[] falling(double[] values) {
        return IntStream.range(0, values.length)
                .boxed()
                .sorted((a, b) -> Double.compare(values[b], values[a]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private double[] ranks(double[] similarity) {
        double[] ranked = new double[similarity.length];
        int[] falling = falling(similarity);
        double above = 0;
        for (int from = 0, to = 0; from < falling.length; from = to) {
            for (; to < falling.length && similarity[falling[to]] == similarity[falling[from]]; to++) {
                above += weight(falling[to]);
            }
            for (int i = from; i < to; i++) {
                ranked[falling[i]] = Math.log(above);
            }
        }
        return ranked;
    }

    public List<String> shingles() {
        return shingles;
    }

    /** Pairs, numbered from 0. */
    public int size() {
        return places.length;
    }

    /** Pairs of documents that a pair stands for. */
    double weight(int pair) {
        return weights[pair];
    }

    public int first(int pair) {
        return sample.first(places[pair]).number();
    }

    public int second(int pair) {
        return sample.second(places[pair]).number();
    }

    public double similarity(int shingle, int pair) {
        return similarities[shingle][pair];
    }

    /** How similar the pairs are by one of the shingles; not to be changed. */
    double[] similarities(int shingle) {
        return similarities[shingle];
    }

    SimilarityCounts counts(int shingle) {
        return counts.get(shingle);
    }

    /** The logarithm of the number of pairs, at least that of 2. */
    double highestRank() {
        return Math.log(
                Math.max(2, IntStream.range(0, size()).mapToDouble(this::weight).sum()));
    }

    /** The mean over the shingles, from 0 for the most similar pairs to {@link #highestRank}. */
    double rank(int pair) {
        return meanRanks[pair];
    }

    /** What the rank by a shingle is above the mean. */
    double deviation(int shingle, int pair) {
        return ranks[shingle][pair] - meanRanks[pair];
    }
}
