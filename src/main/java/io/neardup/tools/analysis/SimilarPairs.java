package io.neardup.tools.analysis;

import io.neardup.engine.similarity.FastSimilaritySketch;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.tools.feed.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/** All pairs of texts from a similarity on. Not thread-safe. */
final class SimilarPairs {
    private static final int VALUES = FastSimilaritySketch.SIZE_MAX;
    /** Standard deviations of a binomial distribution: so few values are shared by one in a billion. */
    private static final double DEVIATIONS = 6;

    private static final int PROGRESS_DOCUMENTS = 100;

    private final List<ShingleSet> sets = new ArrayList<>();
    private final List<long[]> signatures = new ArrayList<>();
    private final SignatureIndex index;
    private final Progress progress;
    private final String what;

    /** Takes pairs of texts, each once, the earlier one first. */
    @FunctionalInterface
    interface Sink {
        void pair(int first, int second, double jaccard);
    }

    /** @param what the progress is told to be of, such as {@code char:9} */
    SimilarPairs(List<ComparedText> texts, Shingler shingler, String what, Progress progress) {
        this.progress = progress;
        this.what = what;
        FastSimilaritySketch sketch = new FastSimilaritySketch(VALUES);
        Shingles shingles = new Shingles();
        for (ComparedText text : texts) {
            sets.add(text.shingles(shingler, shingles));
            signatures.add(SignatureIndex.sign(shingles, sketch));
            tell(sets.size(), texts.size(), "signed");
        }
        this.index = new SignatureIndex(signatures);
    }

    /**
     * Tells all pairs whose Jaccard similarity reaches a floor, and no others. One just at the floor is
     * missed with a chance of one in a billion (for floors below 0.1, where few shared values tell, one in 100,000).
     *
     * @param floor above 0, at most 1
     * @param stepsMax shingles that are compared, of a few nanoseconds each; one text may exceed it
     * @return whether that was enough; else only some of the pairs were told
     */
    boolean join(double floor, long stepsMax, Sink sink) {
        return join(floor, stepsMax, (first, second) -> true, sink);
    }

    /** @param wanted pairs, asked as the others were told: those that are not are not compared */
    boolean join(double floor, long stepsMax, BiPredicate<Integer, Integer> wanted, Sink sink) {
        double expected = floor * VALUES;
        int least = (int) Math.max(1, expected - DEVIATIONS * Math.sqrt(expected * (1 - floor)));
        long steps = 0;
        for (int second = 0; second < sets.size() && steps <= stepsMax; second++) {
            int[] shared = index.shared(signatures.get(second), second);
            for (int first = 0; first < second; first++) {
                if (shared[first] >= least && canReach(floor, first, second) && wanted.test(first, second)) {
                    ShingleSet one = sets.get(first);
                    ShingleSet other = sets.get(second);
                    steps += one.size() + other.size();
                    double jaccard = one.jaccard(other);
                    if (jaccard >= floor) {
                        sink.pair(first, second, jaccard);
                    }
                }
            }
            tell(second + 1, sets.size(), "compared");
        }
        return steps <= stepsMax;
    }

    private void tell(int done, int documents, String how) {
        progress.count(done, PROGRESS_DOCUMENTS, "%2$s: %1$,d of %3$,d documents %4$s", what, documents, how);
    }

    /** Whether the sizes allow it; the slack is for the rounding of doubles. */
    private boolean canReach(double floor, int first, int second) {
        int one = sets.get(first).size();
        int other = sets.get(second).size();
        return Math.min(one, other) >= floor * Math.max(one, other) - 1e-6;
    }
}
