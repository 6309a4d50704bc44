package io.neardup.tools.analysis;

import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingling;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Which pairs of documents are measured: each pair of which one document is an asker. Askers are drawn at random, so
 * that each pair has the same chance; where the work and the memory allow it, all documents ask, and all pairs are
 * measured. The same pairs are measured by each shingle. Long texts are measured by a sample of their shingles.
 */
final class AskedPairs implements MeasuredPairs {
    /** Documents that tell what a pair costs, compared with as many others. */
    private static final int PILOTS = 100;

    /** What a pair costs that shares nothing, as shingles shared. */
    private static final int COST_MIN = 4;

    /** A document with a larger part of the shingles of all askers does not ask: few others could. */
    private static final int PART_MAX_INVERSE = 4;

    private final List<ComparedText> texts;
    private final int[] order;
    private SamplingRates rates = SamplingRates.ALL;
    private int askers;
    private AskerBound bound = AskerBound.NONE;

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
     * Lets so many documents ask that work and memory stay within a bound.
     *
     * @param workMax shingles that pairs share, of all shinglers together
     * @param shinglesMax of the askers, by any one of the shinglers
     */
    void bound(List<Shingler> shinglers, double workMax, long shinglesMax) {
        List<ComparedText> random = SampledShingles.pilots(
                IntStream.of(order).mapToObj(texts::get).limit(2L * PILOTS).toList());
        rates = SamplingRates.of(shinglers, random);
        double pairCost = 0;
        for (Shingler shingler : shinglers) {
            pairCost += COST_MIN + meanShared(rates.cutting(shingler), random);
        }
        boundWork(workMax / pairCost);
        boundMemory(shinglesMax / rates.perByteMax());
    }

    /** Of n documents m ask: that is m n - m (m + 1) / 2 pairs. */
    private void boundWork(double pairsMax) {
        double half = texts.size() - 0.5;
        double root = half * half - 2 * pairsMax;
        if (root > 0) {
            askers = (int) Math.max(1, half - Math.sqrt(root));
            bound = AskerBound.WORK;
        }
    }

    private void boundMemory(double bytesMax) {
        if (fitting(bytesMax) == askers) {
            return;
        }
        int[] shortFirst = IntStream.concat(
                        IntStream.of(order).filter(text -> texts.get(text).length() <= bytesMax / PART_MAX_INVERSE),
                        IntStream.of(order).filter(text -> texts.get(text).length() > bytesMax / PART_MAX_INVERSE))
                .toArray();
        System.arraycopy(shortFirst, 0, order, 0, order.length);
        askers = Math.max(1, fitting(bytesMax));
        bound = AskerBound.MEMORY;
    }

    /** How many of the askers have no more bytes of text together. */
    private int fitting(double bytesMax) {
        double bytes = 0;
        int count = 0;
        while (count < askers && bytes <= bytesMax) {
            bytes += texts.get(order[count++]).length();
        }
        return bytes <= bytesMax ? count : count - 1;
    }

    private static double meanShared(SampledShingles cut, List<ComparedText> random) {
        int pilots = Math.min(PILOTS, random.size() / 2);
        if (pilots == 0) {
            return 0;
        }
        AskerIndex index = new AskerIndex();
        random.subList(0, pilots).forEach(text -> index.add(cut.of(text)));
        long shared = 0;
        for (ComparedText text : random.subList(pilots, 2 * pilots)) {
            shared += IntStream.of(index.shared(cut.of(text)))
                    .limit(pilots)
                    .asLongStream()
                    .sum();
        }
        return shared / (double) (pilots * pilots);
    }

    @Override
    public int askers() {
        return askers;
    }

    @Override
    public AskerBound bound() {
        return bound;
    }

    @Override
    public boolean isSampling() {
        return rates.isSampling();
    }

    @Override
    public long pairs() {
        long documents = texts.size();
        return askers * documents - askers * (askers + 1L) / 2;
    }

    @Override
    public MeasuredShingle measure(Shingling shingling) {
        int[] sizes = new int[order.length];
        SampledShingles cut = rates.cutting(shingling.shingler(0));
        AskerIndex index = new AskerIndex();
        PairTally tally = new PairTally(order.length, askers, askers * (order.length - 1.0) / Math.max(1, pairs()));
        for (int place = 0; place < order.length; place++) {
            ShingleSet shingles = cut.of(texts.get(order[place]));
            sizes[place] = cut.all(shingles.size());
            tally(cut, index, shingles, place, tally);
            if (place < askers) {
                index.add(shingles);
            }
        }
        tally.addUnlike(pairs() - tally.counts().pairs());
        Arrays.sort(sizes);
        return new MeasuredShingle(shingling, sizes.length == 0 ? 0 : sizes[(sizes.length - 1) / 2], tally);
    }

    private void tally(SampledShingles cut, AskerIndex index, ShingleSet shingles, int place, PairTally tally) {
        int[] shared = index.shared(shingles);
        int asking = place < askers ? place : -1;
        for (int asker = 0; asker < index.count(); asker++) {
            if (shared[asker] > 0) {
                double jaccard = index.jaccard(asker, shared[asker], shingles.size());
                int together = cut.all(index.size(asker) + shingles.size() - shared[asker]);
                tally.add(new PairExample(order[asker], order[place], jaccard), together, asker, asking, 1);
            }
        }
    }

    @Override
    public ComparedText document(int number) {
        return texts.get(number);
    }
}
