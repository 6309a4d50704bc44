package io.neardup.engine.lsh;

/**
 * The probability that two documents share at least one bucket, as a function of their similarity s: 1 - (1 - s^r)^b
 * for b bands of r rows (Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, chapter 3.4). Tiny probabilities keep
 * their digits.
 *
 * @param bands at least 1
 * @param rows at least 1
 */
public record SCurve(int bands, int rows) {
    public SCurve {
        if (bands < 1 || rows < 1) {
            throw new IllegalArgumentException(
                    "S-curve of " + bands + " bands x " + rows + " rows: expected at least 1 of each");
        }
    }

    /** The probability of sharing a bucket at a similarity from 0 to 1. */
    public double probability(double similarity) {
        requireShare("similarity", similarity);
        return -Math.expm1(bands * Math.log1p(-Math.pow(similarity, rows)));
    }

    /**
     * The inverse of {@link #probability}: the similarity at which a bucket is shared with a probability from 0 to 1.
     */
    public double similarityAt(double probability) {
        requireShare("probability", probability);
        return Math.pow(-Math.expm1(Math.log1p(-probability) / bands), 1.0 / rows);
    }

    /**
     * The usual rule of thumb for where the curve rises, (1/b)^(1/r): there the probability is 1 - (1 - 1/b)^b, 0.63 to
     * 1.
     */
    public double threshold() {
        return Math.pow(bands, -1.0 / rows);
    }

    /** The similarity at which the curve is steepest, ((r - 1) / (br - 1))^(1/r); 0 for one row. */
    public double steepest() {
        return rows == 1 ? 0 : Math.pow((rows - 1.0) / ((double) bands * rows - 1), 1.0 / rows);
    }

    /** The slope of the curve at a similarity from 0 to 1. */
    public double slope(double similarity) {
        requireShare("similarity", similarity);
        double none = Math.pow(1 - Math.pow(similarity, rows), bands - 1);
        return (double) rows * bands * none * Math.pow(similarity, rows - 1);
    }

    private static void requireShare(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("S-curve: " + name + " " + value + ", expected 0 to 1");
        }
    }
}
