package io.neardup.tools.analysis;

import io.neardup.engine.text.Shingling;
import java.util.List;

/** Scores similarities of pairs by what people say of them. Takes each pair once. */
final class LabelSweep implements PairSink {
    private final Labels labels;
    private final double threshold;
    private final ThresholdSweep sweep = new ThresholdSweep();

    private long duplicates;
    private long told;
    private long right;

    /** @param threshold that is scored beside those of the sweep */
    LabelSweep(Labels labels, double threshold) {
        this.labels = labels;
        this.threshold = threshold;
    }

    /** Passes over pairs that are not judged. */
    @Override
    public void pair(int first, int second, double jaccard) {
        if (labels.isJudged(first, second)) {
            boolean isDuplicate = labels.contain(first, second);
            sweep.add(jaccard, isDuplicate);
            duplicates += isDuplicate ? 1 : 0;
            if (jaccard >= threshold) {
                told++;
                right += isDuplicate ? 1 : 0;
            }
        }
    }

    /**
     * The scores of what was taken.
     *
     * @param floor similarity from which on every judged pair was
     */
    ShingleScores scores(Shingling shingling, double floor) {
        List<AtThreshold> scores = sweep.scores(floor, labels.pairs());
        return new ShingleScores(
                shingling,
                floor,
                labels.pairs() - duplicates,
                new AtThreshold(threshold, new Score(told, right, labels.pairs())),
                ThresholdSweep.best(scores),
                scores);
    }
}
