package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.neardup.tools.analysis.Evaluation.Score;

/**
 * How well the pairs at or above a threshold fit what people say, by one shingle.
 *
 * @param shingle such as {@code char:9}
 * @param floor similarity below which no pairs were looked for; 0 where all that are judged were compared
 * @param belowFloor pairs that people call duplicates below the floor: all thresholds miss them
 * @param settings at the threshold of the settings, whatever their shingle is
 * @param best the threshold of the highest F1, in steps of 0.001 down to the floor; of equal ones the highest
 */
public record ShingleScores(String shingle, double floor, long belowFloor, AtThreshold settings, AtThreshold best) {
    private static final int STEPS = 1_000;

    public record AtThreshold(
            double threshold, @JsonUnwrapped Score score) {}

    /** Counts pairs, and those among them that people call duplicates. Takes each pair once. */
    static final class Sweep {
        private final Labels labels;
        private final double threshold;
        /** By the highest threshold that a similarity reaches. */
        private final long[] predicted = new long[STEPS + 1];

        private final long[] correct = new long[STEPS + 1];
        private long duplicates;
        private long predictedBySettings;
        private long correctBySettings;

        /** @param threshold that is scored beside those of the sweep */
        Sweep(Labels labels, double threshold) {
            this.labels = labels;
            this.threshold = threshold;
        }

        /** Passes over pairs that are not judged. */
        void add(int first, int second, double jaccard) {
            if (!labels.isJudged(first, second)) {
                return;
            }
            int isDuplicate = labels.areDuplicates(first, second) ? 1 : 0;
            int step = SimilarityCounts.step(jaccard, STEPS);
            predicted[step]++;
            correct[step] += isDuplicate;
            duplicates += isDuplicate;
            if (jaccard >= threshold) {
                predictedBySettings++;
                correctBySettings += isDuplicate;
            }
        }

        /** @param floor similarity from which on every judged pair was */
        ShingleScores scores(String shingle, double floor) {
            AtThreshold best = new AtThreshold(1, new Score(predicted[STEPS], correct[STEPS], labels.pairs()));
            long allPredicted = 0;
            long allCorrect = 0;
            for (int step = STEPS; step >= 0 && step / (double) STEPS >= floor; step--) {
                allPredicted += predicted[step];
                allCorrect += correct[step];
                Score score = new Score(allPredicted, allCorrect, labels.pairs());
                best = score.f1() > best.score.f1() ? new AtThreshold(step / (double) STEPS, score) : best;
            }
            Score settings = new Score(predictedBySettings, correctBySettings, labels.pairs());
            return new ShingleScores(
                    shingle, floor, labels.pairs() - duplicates, new AtThreshold(threshold, settings), best);
        }
    }
}
