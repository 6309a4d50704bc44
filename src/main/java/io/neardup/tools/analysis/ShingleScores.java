package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.engine.text.Shingling;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How well the pairs at or above a threshold fit what people say, by one shingle.
 *
 * @param shingling how the documents were cut, and what of it did not count
 * @param floor similarity below which no pairs were looked for; 0 where all that are judged were compared
 * @param belowFloor pairs that people call duplicates below the floor: all thresholds miss them
 * @param settings at the threshold of the settings, or what stands for the same editing in this shingle
 * @param best the threshold of the highest F1, in steps of 0.001; of equal ones the highest
 * @param sweep all of these thresholds from 1 down to the floor
 */
public record ShingleScores(
        @JsonIgnore Shingling shingling,
        double floor,
        long belowFloor,
        AtThreshold settings,
        AtThreshold best,
        @JsonIgnore List<AtThreshold> sweep) {
    private static final int STEPS = 1_000;

    /**
     * How well pairs fit that are at or above a threshold.
     *
     * @param threshold 0 to 1
     */
    public record AtThreshold(
            double threshold, @JsonUnwrapped Score score) {}

    /** Such as {@code char:9}. */
    @JsonProperty
    public String shingle() {
        return shingling.spec();
    }

    /** Shingles that did not count. */
    @JsonProperty
    public int boilerplateLeftOut() {
        BoilerplateShingles boilerplate = shingling.boilerplate();
        return boilerplate == null ? 0 : boilerplate.size();
    }

    /** The scores at a threshold in whole thousandths; empty below the floor. */
    public Optional<AtThreshold> at(double threshold) {
        return sweep.stream()
                .filter(at -> Math.round(at.threshold() * STEPS) == Math.round(threshold * STEPS))
                .findFirst();
    }

    /** Whether all pairs at the threshold of the settings were looked for. */
    public boolean reachesSettings() {
        return settings.threshold() >= floor;
    }

    /** Counts pairs, and those among them that people call duplicates. Takes each pair once. */
    static final class Sweep {
        private final Labels labels;
        private final double threshold;
        /** By the highest threshold that a similarity reaches. */
        private final long[] told = new long[STEPS + 1];

        private final long[] right = new long[STEPS + 1];
        private long duplicates;
        private long toldBySettings;
        private long rightBySettings;

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
            int isDuplicate = labels.contain(first, second) ? 1 : 0;
            int step = SimilarityCounts.step(jaccard, STEPS);
            told[step]++;
            right[step] += isDuplicate;
            duplicates += isDuplicate;
            if (jaccard >= threshold) {
                toldBySettings++;
                rightBySettings += isDuplicate;
            }
        }

        private static double threshold(int step) {
            return step / (double) STEPS;
        }

        /**
         * The scores of what was taken.
         *
         * @param floor similarity from which on every judged pair was
         */
        ShingleScores scores(Shingling shingling, double floor) {
            List<AtThreshold> sweep = new ArrayList<>();
            long allTold = 0;
            long allRight = 0;
            for (int step = STEPS; step >= 0 && threshold(step) >= floor; step--) {
                allTold += told[step];
                allRight += right[step];
                sweep.add(new AtThreshold(threshold(step), new Score(allTold, allRight, labels.pairs())));
            }
            AtThreshold best = sweep.stream()
                    .max(Comparator.comparingDouble(
                                    (AtThreshold at) -> at.score().f1())
                            .thenComparingDouble(AtThreshold::threshold))
                    .orElseThrow();
            Score settings = new Score(toldBySettings, rightBySettings, labels.pairs());
            return new ShingleScores(
                    shingling, floor, labels.pairs() - duplicates, new AtThreshold(threshold, settings), best, sweep);
        }
    }
}
