package io.neardup.analysis;

import java.util.Arrays;
import java.util.Optional;

/**
 * The similarities of pairs by one shingle: all of them counted, those that can show a valley counted once more, and
 * these again in {@value #RESAMPLES} random halves of the documents. A document is in a half by a bit of its mask, so
 * no pair is kept. Not thread-safe.
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

    /** Below, no window begins that can be a valley. */
    private static final double RESAMPLED_FROM = 0.08;

    private final SimilarityCounts all = new SimilarityCounts();
    private final SimilarityCounts telling = new SimilarityCounts();
    private final SimilarityCounts[] halves = new SimilarityCounts[RESAMPLES];
    private final PairExamples examples = new PairExamples();

    PairTally() {
        Arrays.setAll(halves, half -> new SimilarityCounts());
    }

    /** The halves in which a document is, a bit for each. */
    static int mask(int document) {
        return (int) Lots.lot(document, HALVES) & ((1 << RESAMPLES) - 1);
    }

    /**
     * Counts a pair.
     *
     * @param together different shingles of both
     * @param mask the halves in which both documents are
     */
    void add(PairExample pair, int together, int mask, double weight) {
        double jaccard = pair.jaccard();
        all.add(jaccard, weight);
        if (together >= TOGETHER_MIN) {
            telling.add(jaccard, weight);
        }
        if (jaccard < RESAMPLED_FROM) {
            return;
        }
        examples.offer(pair.first(), pair.second(), jaccard);
        for (int left = together < TOGETHER_MIN ? 0 : mask; left != 0; left &= left - 1) {
            halves[Integer.numberOfTrailingZeros(left)].add(jaccard, weight);
        }
    }

    /** Counts pairs that have nothing in common. */
    void addUnlike(double pairs) {
        all.add(0, pairs);
        telling.add(0, pairs);
    }

    /** All pairs. */
    SimilarityCounts counts() {
        return all;
    }

    PairExamples examples() {
        return examples;
    }

    Optional<Valley> valley() {
        return Valley.of(telling);
    }

    /** The valley of one of the halves, behind the bulk of all pairs. */
    Optional<Valley> valleyOfHalf(int half) {
        return valley().flatMap(all -> Valley.behind(all.bulk(), halves[half]));
    }
}
