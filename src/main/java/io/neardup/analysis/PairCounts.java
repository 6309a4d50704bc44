package io.neardup.analysis;

import io.neardup.config.NeardupConfig;
import io.neardup.lsh.SCurve;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts candidates and similar pairs, each told once. */
final class PairCounts {
    private final double threshold;
    private final SignedSample signed;
    private final Meetings meetings;
    private final @Nullable Labels labels;
    private final Bins bins;
    private final SCurve curve;
    private final ThresholdSweep sweep = new ThresholdSweep();

    private long candidates;
    private long similar;
    private long found;
    private double promised;
    private long verified;
    private long verifiedSimilar;

    private long labelledAboveFloor;
    private long labelledSimilar;
    private long labelledVerified;

    PairCounts(NeardupConfig config, SignedSample signed, Meetings meetings, @Nullable Labels labels) {
        this.curve = config.banding().curve();
        this.threshold = config.threshold();
        this.signed = signed;
        this.meetings = meetings;
        this.labels = labels;
        this.bins = new Bins(curve);
    }

    /** Takes a pair that meets in a bucket. */
    void candidate(int first, int second) {
        candidates++;
        if (signed.isEstimating() && signed.isVerified(first, second)) {
            countVerified(first, second);
        }
    }

    /** Takes a pair that is similar, from the floor on. */
    void similar(int first, int second, double jaccard) {
        boolean isFound = meetings.meet(first, second);
        boolean isLabelled = isLabelled(first, second);
        bins.add(jaccard, isFound);
        sweep.add(jaccard, isLabelled);
        labelledAboveFloor += isLabelled ? 1 : 0;
        if (jaccard >= threshold) {
            similar++;
            promised += curve.probability(jaccard);
            labelledSimilar += isLabelled ? 1 : 0;
            if (isFound) {
                found++;
                verify(first, second);
            }
        }
    }

    private void verify(int first, int second) {
        if (!signed.isEstimating()) {
            countVerified(first, second);
            verifiedSimilar++;
        } else if (signed.isVerified(first, second)) {
            verifiedSimilar++;
        }
    }

    private void countVerified(int first, int second) {
        verified++;
        labelledVerified += isLabelled(first, second) ? 1 : 0;
    }

    private boolean isLabelled(int first, int second) {
        return labels != null && labels.contain(first, second);
    }

    Evaluation evaluation(int documents, double floor) {
        return new Evaluation(
                documents,
                floor,
                bins.from(floor),
                similar,
                found,
                promised / similar,
                candidates,
                verified,
                verifiedSimilar,
                meetings.bucketsFull(),
                labels == null ? null : report(labels, floor));
    }

    private LabelReport report(Labels given, double floor) {
        List<AtThreshold> scores = sweep.scores(floor, given.pairs());
        return new LabelReport(
                given.pairs(),
                given.unknown(),
                given.selfPairs(),
                given.pairs() - labelledAboveFloor,
                new Score(similar, labelledSimilar, given.pairs()),
                new Score(verified, labelledVerified, given.pairs()),
                ThresholdSweep.best(scores),
                scores);
    }
}
