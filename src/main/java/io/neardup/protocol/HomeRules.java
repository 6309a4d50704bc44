package io.neardup.protocol;

/**
 * What a home decides by.
 *
 * @param threshold similarity at or above which a document is a duplicate, above 0, to 1
 * @param candidatesMax how many candidates of a document that the bands name are verified at the most; the rest is
 *     left out and counted. Not among them are older ones that it yields to and, in a crowd, those that verdicts name
 * @param askAgainMillis after how long a pending document asks again; then at every twice that, and no longer
 */
public record HomeRules(
        double threshold,
        int candidatesMax,
        long askAgainMillis,
        Retention retention,
        Versions versions,
        StepBounds bounds) {

    public HomeRules {
        if (!(threshold > 0 && threshold <= 1)) {
            throw new IllegalArgumentException("threshold: expected above 0, to 1, found " + threshold);
        }
        if (candidatesMax < 1 || askAgainMillis < 1) {
            throw new IllegalArgumentException(
                    "expected at least 1 everywhere, found " + candidatesMax + ", " + askAgainMillis);
        }
    }

    /**
     * From so many candidates on a document is in a crowd. Not the most but a quarter: of two copies one may meet few
     * candidates, while the other meets so many that the first is left out. Both must notice the crowd.
     */
    int crowdMin() {
        return Math.max(1, candidatesMax / 4);
    }
}
