package io.neardup.tools.analysis;

import io.neardup.tools.analysis.Valley.InBins;
import java.util.Optional;

/**
 * The similarities of pairs by one shingle: all pairs counted, and the documents that have neighbours, in all and in
 * {@value #RESAMPLES} random halves of the collection. A document is in a half by a bit of its mask, so no pair is
 * kept. Not thread-safe.
 */
final class PairTally {
    static final int RESAMPLES = 20;

    /**
     * Two documents of fewer different shingles together have similarities in steps wider than a window, so that the
     * counts are a comb with valleys of its own.
     */
    static final int TOGETHER_MIN = 13;

    /** So that these lots differ from others. */
    private static final int HALVES = -1;

    /** Of pairs below this nobody asks for an example. */
    private static final double EXAMPLES_FROM = 0.08;

    /** A document that is repeated more often than so, and by more than so large a share of all, shares a template. */
    private static final int COPIES_MAX = 10;

    private static final double COPIES_SHARE_MAX = 0.01;

    private final SimilarityCounts all = new SimilarityCounts();
    private final PairExamples examples = new PairExamples();
    private final Neighbours neighbours;
    private final int documents;
    private final double countsOfPair;

    /**
     * Nothing counted yet.
     *
     * @param documents that askers are compared with
     * @param askers whose neighbours are counted
     * @param countsOfPair 1 to 2: how often a pair is counted on the average, as both may be askers
     */
    PairTally(int documents, int askers, double countsOfPair) {
        this.documents = documents;
        this.neighbours = new Neighbours(askers);
        this.countsOfPair = countsOfPair;
    }

    /** The halves in which a document is, a bit for each. */
    static int mask(int document) {
        return (int) Lots.lot(document, HALVES) & ((1 << RESAMPLES) - 1);
    }

    /**
     * Counts a pair.
     *
     * @param together different shingles of both
     * @param asker place of a document that asks
     * @param other place of the other if it asks too, else -1
     * @param weight pairs that it stands for
     */
    void add(PairExample pair, int together, int asker, int other, double weight) {
        double jaccard = pair.jaccard();
        all.add(jaccard, weight);
        if (jaccard >= EXAMPLES_FROM) {
            examples.offer(pair.first(), pair.second(), jaccard);
        }
        if (together >= TOGETHER_MIN) {
            int mask = mask(pair.first()) & mask(pair.second());
            int bin = SimilarityCounts.bin(jaccard);
            neighbours.add(asker, bin, weight, mask);
            if (other >= 0) {
                neighbours.add(other, bin, weight, mask);
            }
        }
    }

    /** Counts pairs that have nothing in common. */
    void addUnlike(double pairs) {
        all.add(0, pairs);
    }

    /** All pairs. */
    SimilarityCounts counts() {
        return all;
    }

    PairExamples examples() {
        return examples;
    }

    /** The valley before the copies: behind the unrelated, and behind those that only share a template. */
    Optional<Valley> valley() {
        InBins documents = (from, to) -> neighbours.documents(from, to) / countsOfPair;
        Optional<Valley> valley = Valley.of(documents);
        while (valley.filter(found -> isBehindTemplates(found.threshold())).isEmpty() && valley.isPresent()) {
            valley = Valley.behind(valley.get().copies(), documents);
        }
        return valley;
    }

    /** Whether what is called duplicates there are few enough to be copies. */
    private boolean isBehindTemplates(double threshold) {
        double typical = neighbours.typicalFrom(SimilarityCounts.bin(threshold));
        return typical <= COPIES_MAX || typical <= COPIES_SHARE_MAX * documents;
    }

    /** The valley of one of the halves, behind the bulk of all. */
    Optional<Valley> valleyOfHalf(int half, double bulk) {
        return Valley.behind(bulk, (from, to) -> neighbours.documentsOfHalf(half, from, to) / countsOfPair);
    }
}
