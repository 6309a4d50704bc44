package io.neardup.tools.analysis;

import io.neardup.config.NeardupConfig;
import io.neardup.engine.lsh.Banding;
import org.jspecify.annotations.Nullable;

/** Counts candidates and similar pairs, each told once. */
final class PairCounts {
    private final double threshold;
    private final SignedSample signed;
    private final Meetings meetings;
    private final @Nullable Labels labels;
    private final Bins bins;
    private final Banding curve;

    private long candidates;
    private long similar;
    private long found;
    private double promised;
    private long verified;
    private long verifiedSimilar;

    private long judgedVerified;
    private long labelledVerified;

    PairCounts(NeardupConfig config, SignedSample signed, Meetings meetings, @Nullable Labels labels) {
        this.curve = config.banding();
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
        bins.add(jaccard, isFound);
        if (jaccard >= threshold) {
            similar++;
            promised += curve.probability(jaccard);
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
        if (labels != null && labels.isJudged(first, second)) {
            judgedVerified++;
            labelledVerified += labels.contain(first, second) ? 1 : 0;
        }
    }

    /** How well what is found and verified fits what people say. */
    Score labelled(Labels given) {
        return new Score(judgedVerified, labelledVerified, given.pairs());
    }

    /** @param report null where nobody said which pairs are duplicates */
    Evaluation evaluation(int documents, double floor, @Nullable LabelReport report) {
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
                report);
    }
}
