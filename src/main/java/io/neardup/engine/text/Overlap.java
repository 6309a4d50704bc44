package io.neardup.engine.text;

/**
 * The sizes of two sets of shingles and of their intersection.
 *
 * @param first distinct shingles of the first, at least {@code shared}
 * @param second distinct shingles of the second, at least {@code shared}
 * @param shared distinct shingles that both have, at least 0
 */
public record Overlap(int first, int second, int shared) {
    public Overlap {
        if (shared < 0 || shared > Math.min(first, second)) {
            throw new IllegalArgumentException(
                    "Overlap of " + first + " and " + second + " shingles: expected 0 to the lesser, found " + shared);
        }
    }

    /**
     * Shared shingles over all shingles of both, 0 to 1. 0 when both are empty, so that nothing matches an empty text.
     */
    public double jaccard() {
        int union = first + second - shared;
        return union == 0 ? 0 : shared / (double) union;
    }

    /** The share of the first's shingles that the second has too, 0 to 1; 0 of an empty one. */
    public double ofFirst() {
        return share(first);
    }

    /** The share of the second's shingles that the first has too, 0 to 1; 0 of an empty one. */
    public double ofSecond() {
        return share(second);
    }

    /** The greater of the two shares: 1 if one text is an excerpt of the other. */
    public double containment() {
        return share(Math.min(first, second));
    }

    private double share(int size) {
        return size == 0 ? 0 : shared / (double) size;
    }
}
