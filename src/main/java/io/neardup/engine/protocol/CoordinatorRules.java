package io.neardup.engine.protocol;

/**
 * What a coordinator decides by.
 *
 * @param threshold similarity at or above which a document is a duplicate, above 0, to 1
 * @param candidates which candidates are judged
 * @param askAgainMillis after how long a pending document asks again; then at every twice that, and no longer
 */
public record CoordinatorRules(
        double threshold,
        CandidateRules candidates,
        long askAgainMillis,
        Retention retention,
        Versions versions,
        StepBounds bounds) {

    public CoordinatorRules {
        if (!(threshold > 0 && threshold <= 1)) {
            throw new IllegalArgumentException("threshold: expected above 0, to 1, found " + threshold);
        }
        if (askAgainMillis < 1) {
            throw new IllegalArgumentException("ask again: expected after at least 1 ms, found " + askAgainMillis);
        }
    }
}
