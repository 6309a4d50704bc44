package io.neardup.tools.analysis;

import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingling;
import io.neardup.record.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The pairs of documents that may be duplicates by any of several shingles, and how similar they are by each.
 *
 * <p>Documents of equal normalized text stand in it as one, the first of them: such a pair needs no question. A pair of
 * the pool counts for as many pairs as its texts have copies.
 *
 * <p>Each shingle adds its most similar pairs, within a bound on their number and on the work. A pair that no shingle
 * adds is taken to be no duplicate. Memory: some 60 bytes a pair.
 */
public final class PairPool {
    /** Pairs below it by all shingles are not looked at. */
    static final double FLOOR = 0.05;

    private static final double FLOOR_STEP = 0.1;
    private static final int PAIRS_MAX = 50_000;
    /** Half a second a search. */
    private static final long STEPS_MAX = 200_000_000L;

    private static final long SEED = 0;
    private static final int PROGRESS_DOCUMENTS = 100;

    private final List<String> shingles;
    /** Of each document the place among different texts. */
    private final int[] texts;
    /** Of each different text the number of its first document, and how many have it. */
    private final int[] documents;

    private final int[] copies;
    /** The place of the first text of each pair in the upper half, of the second in the lower; rising. */
    private final long[] pairs;
    /** Of each shingle and pair. */
    private final float[][] similarities;

    /** Of each shingle. */
    private final List<SimilarityCounts> counts;

    /** Of each shingle. */
    private final double[] floors;

    private PairPool(List<String> shingles, Texts distinct, double[] floors, long[] pairs, List<Compared> compared) {
        this.shingles = List.copyOf(shingles);
        this.texts = distinct.texts;
        this.documents = distinct.documents;
        this.copies = distinct.copies;
        this.floors = floors;
        this.pairs = pairs;
        this.similarities = compared.stream().map(by -> by.similarities).toArray(float[][]::new);
        this.counts = compared.stream().map(by -> by.counts).toList();
    }

    /**
     * Searches by one shingle after the other.
     *
     * @param shingling of the settings; the other shingles are cut from the same normalized text
     * @param shingles that are tried
     */
    public static PairPool of(
            List<Document> documents, Shingling shingling, Collection<String> shingles, AnalysisProgress progress) {
        return of(documents, shingling, shingles, STEPS_MAX, progress);
    }

    /**
     * As {@link #of(List, Shingling, Collection, AnalysisProgress)}, within other bounds.
     *
     * @param stepsMax of a search from one floor, as for {@link AllPairs#join(PairSink, IntConsumer, long)}
     */
    public static PairPool of(
            List<Document> documents,
            Shingling shingling,
            Collection<String> shingles,
            long stepsMax,
            AnalysisProgress progress) {
        Texts distinct = Texts.of(documents, shingling);
        List<Document> firsts =
                IntStream.of(distinct.documents).mapToObj(documents::get).toList();
        List<String> tried = List.copyOf(shingles);
        List<Found> found = tried.stream()
                .map(shingle -> search(source(firsts, shingling, shingle), shingle, stepsMax, progress))
                .toList();
        long[] pairs = found.stream()
                .flatMapToLong(by -> LongStream.of(by.pairs))
                .sorted()
                .distinct()
                .toArray();
        List<Compared> compared = new ArrayList<>();
        for (String shingle : tried) {
            progress.update(String.format(Locale.ROOT, "%s: comparing %,d pairs", shingle, pairs.length));
            compared.add(Compared.of(source(firsts, shingling, shingle), pairs));
        }
        double[] floors = found.stream().mapToDouble(by -> by.floor).toArray();
        return new PairPool(tried, distinct, floors, pairs, compared);
    }

    private static DocumentShingles source(List<Document> documents, Shingling shingling, String shingle) {
        return new DocumentShingles(documents, DocumentShingles.cut(shingling, shingle), SEED);
    }

    /** The most similar pairs by one shingle, and from where on they were looked for. */
    private static final class Found {
        private final double floor;
        private final long[] pairs;

        Found(double floor, long[] pairs) {
            this.floor = floor;
            this.pairs = pairs;
        }
    }

    private static Found search(DocumentShingles source, String shingle, long stepsMax, AnalysisProgress progress) {
        int all = source.documents();
        RankedSets sets = RankedSets.of(source, done -> {});
        for (double from = FLOOR; from < 1; from += FLOOR_STEP) {
            TopPairs top = new TopPairs(PAIRS_MAX);
            boolean isDone = new AllPairs(sets, from).join(top, done -> tell(progress, shingle, done, all), stepsMax);
            if (isDone) {
                return new Found(from, top.keys());
            }
        }
        return new Found(1, new long[0]);
    }

    private static void tell(AnalysisProgress progress, String shingle, int done, int all) {
        if (done % PROGRESS_DOCUMENTS == 0) {
            progress.update(String.format(Locale.ROOT, "%s: compared, %,d of %,d texts", shingle, done, all));
        }
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

    /**
     * The similarity by a shingle below which it added no pairs, as too many are alike to compare them; 1 if it added
     * none.
     */
    public double floor(int shingle) {
        return floors[shingle];
    }

    /** Whether so many pairs are alike by a shingle that it skipped some. */
    public boolean isRaised(int shingle) {
        return floors[shingle] > FLOOR;
    }

    /** Whether no shingle skipped pairs. */
    public boolean isWhole() {
        return IntStream.range(0, floors.length).noneMatch(this::isRaised);
    }

    /** Pairs of different texts, numbered from 0. */
    public int size() {
        return pairs.length;
    }

    /** Pairs of equal texts, which are not numbered. */
    public long equalPairs() {
        return IntStream.of(copies).mapToLong(count -> count * (count - 1L) / 2).sum();
    }

    /** Pairs of documents that have the texts of a pair. */
    long weight(int pair) {
        return (long) copies[first(pairs[pair])] * copies[second(pairs[pair])];
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
    public float similarity(int shingle, int pair) {
        return similarities[shingle][pair];
    }

    /** The number of the pair of two documents' texts; -1 if it is none of the pool, or their texts are equal. */
    int find(int firstDocument, int secondDocument) {
        int one = texts[firstDocument];
        int other = texts[secondDocument];
        long key = (long) Math.min(one, other) << Integer.SIZE | Math.max(one, other);
        return Math.max(-1, Arrays.binarySearch(pairs, key));
    }

    /** The pairs of different texts by a shingle: those of the pool, and random others that stand for the rest. */
    SimilarityCounts counts(int shingle) {
        return counts.get(shingle);
    }

    /** Pairs by one shingle. */
    private static final class Compared {
        private static final int RANDOM_PAIRS = 5_000;

        private final float[] similarities;
        private final SimilarityCounts counts;

        private Compared(float[] similarities, SimilarityCounts counts) {
            this.similarities = similarities;
            this.counts = counts;
        }

        static Compared of(DocumentShingles source, long[] pairs) {
            @Nullable ShingleSet[] sets = new ShingleSet[source.documents()];
            float[] similarities = new float[pairs.length];
            SimilarityCounts counts = new SimilarityCounts();
            for (int i = 0; i < pairs.length; i++) {
                double jaccard = jaccard(source, sets, first(pairs[i]), second(pairs[i]));
                similarities[i] = (float) jaccard;
                counts.add(jaccard, 1);
            }
            addRandom(source, sets, pairs, counts);
            return new Compared(similarities, counts);
        }

        private static void addRandom(
                DocumentShingles source, @Nullable ShingleSet[] sets, long[] pairs, SimilarityCounts counts) {
            int texts = sets.length;
            double all = texts * (texts - 1.0) / 2;
            SplittableRandom random = new SplittableRandom(SEED);
            for (int i = 0; i < RANDOM_PAIRS && pairs.length < all; i++) {
                int one = random.nextInt(texts);
                int other = random.nextInt(texts - 1);
                other += other >= one ? 1 : 0;
                long key = (long) Math.min(one, other) << Integer.SIZE | Math.max(one, other);
                if (Arrays.binarySearch(pairs, key) < 0) {
                    counts.add(jaccard(source, sets, one, other), all / RANDOM_PAIRS);
                }
            }
        }

        private static double jaccard(DocumentShingles source, @Nullable ShingleSet[] sets, int one, int other) {
            return set(source, sets, one).jaccard(set(source, sets, other));
        }

        private static ShingleSet set(DocumentShingles source, @Nullable ShingleSet[] sets, int text) {
            ShingleSet known = sets[text];
            ShingleSet set = known == null ? source.shingles(text) : known;
            sets[text] = set;
            return set;
        }
    }

    /** The different texts among documents. */
    private static final class Texts {
        private final int[] texts;
        private final int[] documents;
        private final int[] copies;

        private Texts(int[] texts, int[] documents, int[] copies) {
            this.texts = texts;
            this.documents = documents;
            this.copies = copies;
        }

        static Texts of(List<Document> all, Shingling shingling) {
            Map<String, Integer> places = new HashMap<>();
            List<Integer> firsts = new ArrayList<>();
            int[] texts = new int[all.size()];
            int[] copies = new int[all.size()];
            for (int number = 0; number < texts.length; number++) {
                String text = NormalizedText.of(all.get(number).text().decode(), shingling.letterCase());
                Integer known = places.putIfAbsent(text, firsts.size());
                texts[number] = known == null ? firsts.size() : known;
                if (known == null) {
                    firsts.add(number);
                }
                copies[texts[number]]++;
            }
            return new Texts(
                    texts, firsts.stream().mapToInt(Integer::intValue).toArray(), Arrays.copyOf(copies, firsts.size()));
        }
    }
}
