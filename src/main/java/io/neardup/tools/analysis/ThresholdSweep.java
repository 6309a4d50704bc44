package io.neardup.tools.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Counts pairs, and those among them that people call duplicates, for thresholds in steps of 0.001. */
final class ThresholdSweep {
    private static final int STEPS = 1_000;

    private final long[] pairs = new long[STEPS + 1];
    private final long[] labelled = new long[STEPS + 1];

    void add(double jaccard, boolean isLabelled) {
        int step = step(jaccard);
        pairs[step]++;
        labelled[step] += isLabelled ? 1 : 0;
    }

    /** The highest threshold that a similarity reaches, as doubles compare. */
    private static int step(double jaccard) {
        int step = (int) (jaccard * STEPS);
        if (step < STEPS && threshold(step + 1) <= jaccard) {
            return step + 1;
        }
        return threshold(step) > jaccard ? step - 1 : step;
    }

    private static double threshold(int step) {
        return step / (double) STEPS;
    }

    /**
     * The scores at the thresholds from 1 down to a floor, at least one.
     *
     * @param wanted pairs that people call duplicates, those below the floor too
     */
    List<AtThreshold> scores(double floor, long wanted) {
        List<AtThreshold> scores = new ArrayList<>();
        long told = 0;
        long right = 0;
        for (int step = STEPS; step >= 0 && threshold(step) >= floor; step--) {
            told += pairs[step];
            right += labelled[step];
            scores.add(new AtThreshold(threshold(step), new Score(told, right, wanted)));
        }
        return scores;
    }

    /** The score of the highest F1; of equal ones that of the highest threshold. */
    static AtThreshold best(List<AtThreshold> scores) {
        return scores.stream()
                .max(Comparator.comparingDouble((AtThreshold at) -> at.score().f1())
                        .thenComparingDouble(AtThreshold::threshold))
                .orElseThrow();
    }
}
