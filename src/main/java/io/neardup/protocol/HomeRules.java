package io.neardup.protocol;

/**
 * What a home decides by.
 *
 * @param threshold similarity at or above which a document is a duplicate, above 0, to 1
 * @param candidatesMax how many candidates of a document that the bands name are verified at the most; the rest is
 *     left out and counted. Older documents that it yields to, and whom those in a crowd tell of, come on top
 * @param askAgainMillis after how long a pending document asks again; then after twice that each time
 * @param askAgainMax how many pending documents ask again in one go at the most
 */
public record HomeRules(
        double threshold,
        int candidatesMax,
        long askAgainMillis,
        int askAgainMax,
        Retention retention,
        Versions versions) {

    /**
     * From so many candidates on a document is in a crowd. A quarter of the most already: one that asks few can be left out by
     * another that asks as many as it may, if that shares other numbers of bands with them.
     */
    int crowdMin() {
        return Math.max(1, candidatesMax / 4);
    }

    public HomeRules {
        if (!(threshold > 0 && threshold <= 1)) {
            throw new IllegalArgumentException("threshold: expected above 0, to 1, found " + threshold);
        }
        if (candidatesMax < 1 || askAgainMillis < 1 || askAgainMax < 1) {
            throw new IllegalArgumentException("expected at least 1 everywhere, found " + candidatesMax + ", "
                    + askAgainMillis + ", " + askAgainMax);
        }
    }
}
