package io.neardup.analysis;

import io.neardup.text.ShingleSet;
import io.neardup.text.Shingler;
import io.neardup.text.Shingles;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Which pairs of documents are measured: each pair of which one document is an asker. Askers are drawn at random, so
 * that each pair has the same chance; where the work allows it, all documents ask, and all pairs are measured. The same
 * pairs are measured by each shingle.
 */
final class AskedPairs implements MeasuredPairs {
    /** Documents that tell what a pair costs, compared with as many others. */
    private static final int PILOTS = 100;

    /** What a pair costs that shares nothing, as shingles shared. */
    private static final int COST_MIN = 4;

    private final List<ComparedText> texts;
    private final int[] order;
    private int askers;

    /** All pairs. */
    AskedPairs(List<ComparedText> texts, long seed) {
        this.texts = texts;
        this.order = shuffled(texts.size(), seed);
        this.askers = texts.size();
    }

    private static int[] shuffled(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] order = IntStream.range(0, count).toArray();
        for (int i = count - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int moved = order[i];
            order[i] = order[other];
            order[other] = moved;
        }
        return order;
    }

    /**
     * Lets so many documents ask that the work stays within a bound.
     *
     * @param workMax shingles that pairs share, of all shinglers together
     */
    void bound(List<Shingler> shinglers, double workMax) {
        double pairCost = 0;
        for (Shingler shingler : shinglers) {
            pairCost += COST_MIN + meanShared(shingler);
        }
        double documents = texts.size();
        double pairsMax = workMax / pairCost;
        // Of n documents m ask: that is m n - m (m + 1) / 2 pairs.
        double half = documents - 0.5;
        double root = half * half - 2 * pairsMax;
        askers = root <= 0 ? texts.size() : (int) Math.max(1, half - Math.sqrt(root));
    }

    private double meanShared(Shingler shingler) {
        int pilots = Math.min(PILOTS, texts.size() / 2);
        if (pilots == 0) {
            return 0;
        }
        Cut cut = new Cut(shingler);
        AskerIndex index = new AskerIndex();
        long shared = 0;
        for (int place = 0; place < pilots; place++) {
            index.add(cut.shingles(texts.get(order[place])));
        }
        for (int place = pilots; place < 2 * pilots; place++) {
            int[] counts = index.shared(cut.shingles(texts.get(order[place])));
            shared += IntStream.of(counts).limit(pilots).asLongStream().sum();
        }
        return shared / (double) (pilots * pilots);
    }

    @Override
    public int askers() {
        return askers;
    }

    @Override
    public long pairs() {
        long documents = texts.size();
        return askers * documents - askers * (askers + 1L) / 2;
    }

    @Override
    public MeasuredShingle measure(String shingle, Shingler shingler) {
        int[] sizes = new int[order.length];
        Cut cut = new Cut(shingler);
        AskerIndex index = new AskerIndex();
        PairTally tally = new PairTally(order.length, askers, askers * (order.length - 1.0) / Math.max(1, pairs()));
        for (int place = 0; place < order.length; place++) {
            ShingleSet shingles = cut.shingles(texts.get(order[place]));
            sizes[place] = shingles.size();
            tally(index, shingles, place, tally);
            if (place < askers) {
                index.add(shingles);
            }
        }
        tally.addUnlike(pairs() - tally.counts().pairs());
        Arrays.sort(sizes);
        return new MeasuredShingle(shingle, sizes.length == 0 ? 0 : sizes[(sizes.length - 1) / 2], tally);
    }

    private void tally(AskerIndex index, ShingleSet shingles, int place, PairTally tally) {
        int[] shared = index.shared(shingles);
        int asking = place < askers ? place : -1;
        for (int asker = 0; asker < index.count(); asker++) {
            if (shared[asker] > 0) {
                double jaccard = index.jaccard(asker, shared[asker], shingles.size());
                int together = index.size(asker) + shingles.size() - shared[asker];
                tally.add(new PairExample(order[asker], order[place], jaccard), together, asker, asking, 1);
            }
        }
    }

    @Override
    public ComparedText document(int number) {
        return texts.get(number);
    }

    /** Cuts texts one after the other. */
    private static final class Cut {
        private final Shingler shingler;
        private final Shingles buffer = new Shingles();

        Cut(Shingler shingler) {
            this.shingler = shingler;
        }

        ShingleSet shingles(ComparedText text) {
            return text.shingles(shingler, buffer);
        }
    }
}
