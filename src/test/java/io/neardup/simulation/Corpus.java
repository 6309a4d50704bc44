package io.neardup.simulation;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.Original;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.BitmapFilter;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import io.neardup.engine.similarity.SimilarityJudge;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Documents that are only numbers, with random similarities and random buckets. Similarity is drawn for each pair, so
 * that it is as far from transitive as can be: a can resemble b, b resemble c, and a share nothing with c.
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
record Corpus(
        List<String> ids, double[][] similarity, List<BandKeys> keys, List<BitSketch> sketches, int differencesMax)
        implements SimilarityJudge {
    static final double THRESHOLD = 0.8;

    static final int TEXTS_MAX = 8;

    private static final double OF_LIKE_TEXTS = 0.9;
    private static final double OF_UNLIKE_TEXTS = 0.5;

    private static List<String> drawIds(Random random, int documents) {
        return random.ints(documents, 0, 2 * documents)
                .mapToObj(number -> "d" + number)
                .toList();
    }

    /** What another index makes of documents of the same ids. */
    Corpus withIdsOf(Corpus other) {
        return new Corpus(other.ids, similarity, keys, sketches, differencesMax);
    }

    /**
     * @param density the share of pairs that are similar at all
     * @param bucketsPerBand how many buckets the documents fall into; few make many candidates
     * @param sketchValues of a sketch, each of which two documents have in common as often as not
     * @param differencesMax the cut
     */
    static Corpus atRandom(
            Random random,
            int documents,
            int bands,
            double density,
            int bucketsPerBand,
            int sketchValues,
            int differencesMax) {
        double[][] similarity = new double[documents][documents];
        List<BandKeys> keys = new ArrayList<>();
        List<BitSketch> sketches = new ArrayList<>();
        for (int i = 0; i < documents; i++) {
            sketches.add(BitSketch.of(random.ints(sketchValues, 0, 2).toArray()));
            similarity[i][i] = 1;
            for (int j = 0; j < i; j++) {
                double drawn =
                        random.nextDouble() < density ? new double[] {0.5, 0.8, 0.85, 0.9}[random.nextInt(4)] : 0;
                similarity[i][j] = drawn;
                similarity[j][i] = drawn;
            }
            keys.add(BandKeys.owning(IntStream.range(0, bands)
                    .mapToLong(band -> band << 8 | random.nextInt(bucketsPerBand))
                    .toArray()));
        }
        return new Corpus(drawIds(random, documents), similarity, keys, sketches, differencesMax);
    }

    /**
     * Copies of a few texts, of which each shares some bands with every other. Copies have one sketch.
     *
     * @param texts from 1 to {@value #TEXTS_MAX}
     * @param areTextsUnlike whether only copies match; else all do
     */
    static Corpus ofCopies(Random random, int documents, int bands, int texts, boolean areTextsUnlike) {
        int[] bandsShared = random.ints(texts, 1, bands + 1).toArray();
        int[] textOf = random.ints(documents, 0, texts).toArray();
        double ofTwoTexts = areTextsUnlike ? OF_UNLIKE_TEXTS : OF_LIKE_TEXTS;
        double[][] similarity = new double[documents][documents];
        List<BandKeys> keys = new ArrayList<>();
        List<BitSketch> sketches = new ArrayList<>();
        for (int i = 0; i < documents; i++) {
            int text = textOf[i];
            sketches.add(BitSketch.of(IntStream.range(0, TEXTS_MAX)
                    .map(value -> value == text ? 1 : 0)
                    .toArray()));
            for (int j = 0; j < documents; j++) {
                similarity[i][j] = text == textOf[j] ? 1 : ofTwoTexts;
            }
            keys.add(BandKeys.owning(IntStream.range(0, bands)
                    .mapToLong(band -> band << 8 | (band < bandsShared[text] ? 0 : text))
                    .toArray()));
        }
        return new Corpus(drawIds(random, documents), similarity, keys, sketches, Integer.MAX_VALUE);
    }

    int size() {
        return keys.size();
    }

    SignedDocument signed(int document) {
        Evidence evidence =
                Evidence.of(ByteBuffer.allocate(Integer.BYTES).putInt(document).array());
        return new SignedDocument(id(document), keys.get(document), evidence, sketches.get(document));
    }

    /** Some documents have the same. */
    String id(int document) {
        return ids.get(document);
    }

    int document(Original original) {
        return number(original.document().evidence());
    }

    @Override
    public Similarity similarity(Evidence a, Evidence b) {
        return judged(number(a), number(b));
    }

    /** Below the threshold it is a bound of the similarity, as that of a judge whose comparison ended early. */
    @Override
    public Similarity similarity(Evidence a, Evidence b, double threshold) {
        Similarity similarity = similarity(a, b);
        return similarity.value() >= threshold ? similarity : Similarity.of(Math.nextDown(threshold));
    }

    @Override
    public Optional<BitmapFilter> bitmap(Evidence evidence) {
        return Optional.of(new NumberBitmap(this, number(evidence)));
    }

    @Override
    public Optional<BitmapFilter> bitmapOfFirst(Evidence evidence) {
        return bitmap(evidence);
    }

    /** It tells the similarity of every other pair, and nothing of the rest. */
    private record NumberBitmap(Corpus corpus, int document) implements BitmapFilter {
        @Override
        public boolean isBelow(double threshold, BitmapFilter other) {
            int that = ((NumberBitmap) other).document;
            return (document + that) % 2 == 0 && corpus.similarity(document, that) < threshold;
        }

        @Override
        public long bytes() {
            return 1;
        }
    }

    /** The shares tell one document from the other, so that nobody takes one for the other unseen. */
    Similarity judged(int a, int b) {
        return new Similarity(similarity[a][b], 1.0 / (1 + a), 1.0 / (1 + b));
    }

    private static int number(Evidence evidence) {
        return ByteBuffer.wrap(evidence.bytes()).getInt();
    }

    /**
     * Whether two documents meet in a bucket, are at or above the threshold, and their sketches pass the cut: the pairs
     * that the index must find.
     */
    boolean match(int a, int b) {
        return similarity[a][b] >= THRESHOLD
                && sketches.get(a).differences(sketches.get(b)) <= differencesMax
                && IntStream.range(0, keys.get(a).bands())
                        .anyMatch(band -> keys.get(a).key(band) == keys.get(b).key(band));
    }

    /** Whether two documents have the same text. */
    boolean areCopies(int a, int b) {
        return similarity[a][b] == 1;
    }

    double similarity(int a, int b) {
        return similarity[a][b];
    }
}
