package io.neardup.tools.analysis;

import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.Shingling;
import io.neardup.record.Document;
import io.neardup.tools.analysis.PairSample.Limits;
import io.neardup.tools.feed.Progress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The pairs of documents that may be duplicates by any of several shingles, how similar they are by each, and where
 * they stand: the logarithm of how many pairs are at least as similar. In this measure shingles can be compared: a
 * similarity of 0.5 is much by one and little by another.
 *
 * <p>Documents of equal normalized text stand in it as one, the first of them: such a pair needs no question. A pair of
 * the pool counts for as many pairs as its texts have copies, and for those that it stands for in its
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
    /** Such a pair may be one of duplicates by any threshold that is in use. */
    private static final double ALIKE = 0.5;

    private final List<String> shingles;
    /** Of each document the place among different texts. */
    private final int[] texts;
    /** Of each different text the number of its first document, and how many have it. */
    private final int[] documents;

    private final int[] copies;
    /** The place of the first text of each pair in the upper half, of the second in the lower; rising. */
    private final long[] pairs;

    /** Of each pair how many of different texts it stands for. */
    private final double[] weights;
    /** Of each shingle and pair. */
    private final double[][] similarities;
    /** Of each shingle: all pairs of different texts, those that are not in the pool too. */
    private final List<SimilarityCounts> counts = new ArrayList<>();
    /** Of each pair the mean over the shingles, and what the rank by each shingle is above it. */
    private final double[] ranks;

    private final double[][] deviations;
    private boolean isWhole = true;

    /**
     * The pool of some documents.
     *
     * @param shingling of the settings; the other shingles are cut from the same normalized text
     * @param shingles that are tried
     */
    public static PairPool of(
            List<Document> documents, Shingling shingling, Collection<String> shingles, Progress progress) {
        return new PairPool(documents, shingling, List.copyOf(shingles), LIMITS, progress);
    }

    PairPool(List<Document> all, Shingling shingling, List<String> shingles, Limits limits, Progress progress) {
        this.shingles = shingles;
        this.texts = new int[all.size()];
        List<ComparedText> different = different(all, shingling);
        this.documents = new int[different.size()];
        this.copies = new int[different.size()];
        for (int number = all.size() - 1; number >= 0; number--) {
            documents[texts[number]] = number;
            copies[texts[number]]++;
        }
        PairSample sample = PairSample.of(
                different,
                TuningTargets.cut(shingling, PairSample.SCREEN).whole().shingler(0),
                limits);
        double[][] measured = new double[shingles.size()][];
        for (int shingle = 0; shingle < measured.length; shingle++) {
            progress.update(
                    String.format(Locale.ROOT, "%s: comparing %,d pairs", shingles.get(shingle), sample.size()));
            measured[shingle] = sample.similarities(TuningTargets.cut(shingling, shingles.get(shingle)))
                    .jaccards();
            counts.add(counts(sample, measured[shingle]));
        }
        int[] chosen = chosen(sample, measured);
        this.pairs = IntStream.of(chosen)
                .mapToLong(pair ->
                        key(sample.first(pair).number(), sample.second(pair).number()))
                .toArray();
        this.weights = IntStream.of(chosen).mapToDouble(sample::weight).toArray();
        this.similarities = Arrays.stream(measured)
                .map(by -> IntStream.of(chosen).mapToDouble(pair -> by[pair]).toArray())
                .toArray(double[][]::new);
        this.deviations = Arrays.stream(similarities).map(this::ranks).toArray(double[][]::new);
        this.ranks = IntStream.range(0, chosen.length)
                .mapToDouble(pair ->
                        Arrays.stream(deviations).mapToDouble(by -> by[pair]).sum() / deviations.length)
                .toArray();
        for (double[] by : deviations) {
            Arrays.setAll(by, pair -> by[pair] - ranks[pair]);
        }
    }

    private List<ComparedText> different(List<Document> all, Shingling shingling) {
        Map<String, Integer> places = new HashMap<>();
        List<ComparedText> different = new ArrayList<>();
        for (int number = 0; number < texts.length; number++) {
            String text = NormalizedText.of(all.get(number).text().decode(), shingling.letterCase());
            Integer known = places.putIfAbsent(text, different.size());
            texts[number] = known == null ? different.size() : known;
            if (known == null) {
                different.add(new ComparedText(
                        different.size(), all.get(number).id(), text.getBytes(StandardCharsets.UTF_8)));
            }
        }
        return different;
    }

    private static SimilarityCounts counts(PairSample sample, double[] jaccards) {
        SimilarityCounts counts = new SimilarityCounts();
        for (int pair = 0; pair < jaccards.length; pair++) {
            counts.add(jaccards[pair], sample.weight(pair));
        }
        return counts;
    }

    /** The most similar pairs by any shingle, by their documents. */
    private int[] chosen(PairSample sample, double[][] measured) {
        BitSet chosen = new BitSet();
        for (double[] by : measured) {
            int[] falling = falling(by);
            double taken = 0;
            for (int i = 0; i < falling.length && taken < PAIRS_MAX && by[falling[i]] >= FLOOR; i++) {
                chosen.set(falling[i]);
                taken += sample.weight(falling[i]);
                isWhole = isWhole && (by[falling[i]] < ALIKE || sample.weight(falling[i]) == 1);
            }
        }
        return chosen.stream()
                .boxed()
                .sorted(Comparator.comparingLong(pair ->
                        key(sample.first(pair).number(), sample.second(pair).number())))
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
                above += weights[falling[to]];
            }
            for (int i = from; i < to; i++) {
                ranked[falling[i]] = Math.log(above);
            }
        }
        return ranked;
    }

    private static long key(int one, int other) {
        return (long) Math.min(one, other) << Integer.SIZE | Math.max(one, other);
    }

    private static int first(long pair) {
        return (int) (pair >>> Integer.SIZE);
    }

    private static int second(long pair) {
        return (int) pair;
    }

    /** The shingles that were tried. */
    public List<String> shingles() {
        return shingles;
    }

    /** Whether no pair that is half alike by some shingle was left out. */
    public boolean isWhole() {
        return isWhole;
    }

    /** Pairs of different texts, numbered from 0. */
    public int size() {
        return pairs.length;
    }

    /** Pairs of equal texts, which are not numbered. */
    public long equalPairs() {
        return IntStream.of(copies).mapToLong(count -> count * (count - 1L) / 2).sum();
    }

    /** Pairs of documents that a pair stands for. */
    double weight(int pair) {
        return weights[pair] * copies[first(pairs[pair])] * copies[second(pairs[pair])];
    }

    /** The number of the first document of a pair. */
    public int first(int pair) {
        return documents[first(pairs[pair])];
    }

    /** The number of the second document of a pair. */
    public int second(int pair) {
        return documents[second(pairs[pair])];
    }

    /** How similar a pair is by one of the shingles. */
    public double similarity(int shingle, int pair) {
        return similarities[shingle][pair];
    }

    /** How similar the pairs are by one of the shingles; not to be changed. */
    double[] similarities(int shingle) {
        return similarities[shingle];
    }

    /** The number of the pair of two documents' texts; -1 if it is none of the pool, or their texts are equal. */
    int find(int firstDocument, int secondDocument) {
        return Math.max(-1, Arrays.binarySearch(pairs, key(texts[firstDocument], texts[secondDocument])));
    }

    /** The pairs of different texts by a shingle. */
    SimilarityCounts counts(int shingle) {
        return counts.get(shingle);
    }

    /** The logarithm of the number of pairs of different texts, at least that of 2. */
    double highestRank() {
        return Math.log(Math.max(2, Arrays.stream(weights).sum()));
    }

    /** The mean over the shingles, from 0 for the most similar pairs to {@link #highestRank}. */
    double rank(int pair) {
        return ranks[pair];
    }

    /** What the rank by a shingle is above the mean. */
    double deviation(int shingle, int pair) {
        return deviations[shingle][pair];
    }
}
