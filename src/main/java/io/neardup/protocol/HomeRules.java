package io.neardup.protocol;

/**
 * What a home decides by.
 *
 * @param threshold similarity at or above which a document is a duplicate, above 0, to 1
 * @param candidatesMax how many candidates of a document that the bands name are verified at the most; the rest is
 *     left out and counted. Older documents that it yields to, and whom those in a crowd tell of, come on top
 * @param askAgainMillis after how long a pending document asks again; then after twice that each time
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
     * From so many candidates on a document is in a crowd. A quarter of the most: one that asks few can be left out by
     * another that asks as many as it may, where the two share other numbers of bands with those in between.
     */
    int crowdMin() {
        return Math.max(1, candidatesMax / 4);
    }
}
