package io.neardup.engine.similarity;

/**
 * How similar two documents are, and how much of each is in the other. Where a story grew, nearly all of the earlier
 * version is in the later one, but not the reverse. Of an excerpt and its source the same holds.
 *
 * @param value what thresholds are compared with, 0 to 1, the same in either order
 * @param ofFirst the share of the first document's shingles that the second has too, 0 to 1; NaN where it is not known
 * @param ofSecond the share of the second document's shingles that the first has too, 0 to 1; NaN where it is not known
 * @param whole the value where shingles that do not count are compared too, 0 to 1; NaN where all count, or it is not
 *     known
 */
public record Similarity(double value, double ofFirst, double ofSecond, double whole) {
    public static final Similarity NONE = new Similarity(0, 0, 0);
    public static final Similarity EQUAL = new Similarity(1, 1, 1);

    /** A similarity of documents of which all counts. */
    public Similarity(double value, double ofFirst, double ofSecond) {
        this(value, ofFirst, ofSecond, Double.NaN);
    }

    /** A similarity of documents of which no shares are known. */
    public static Similarity of(double value) {
        return new Similarity(value, Double.NaN, Double.NaN);
    }

    public boolean knowsShares() {
        return !Double.isNaN(ofFirst) && !Double.isNaN(ofSecond);
    }

    public boolean knowsWhole() {
        return !Double.isNaN(whole);
    }

    public Similarity withWhole(double wholeValue) {
        return new Similarity(value, ofFirst, ofSecond, wholeValue);
    }

    /** The same, seen from the second document. */
    public Similarity reversed() {
        return new Similarity(value, ofSecond, ofFirst, whole);
    }
}
