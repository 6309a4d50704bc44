package io.neardup.engine.similarity;

/**
 * The error function, which the JDK lacks: the chance that a normal variable is within x * sqrt(2) standard deviations
 * of its mean.
 */
final class ErrorFunction {
    /** From here on erf is 1 to within 2.2e-17. */
    private static final double ONE_FROM = 6;

    private ErrorFunction() {}

    /**
     * erf(x) by a series of positive terms (Abramowitz and Stegun, 7.1.6), which loses no digits: within 1e-14, after
     * at most 160 terms.
     *
     * @param x at least 0, or infinite
     */
    static double of(double x) {
        if (x >= ONE_FROM) {
            return 1;
        }
        double term = x;
        double sum = x;
        for (int odd = 3; term > sum * 1e-17; odd += 2) {
            term *= 2 * x * x / odd;
            sum += term;
        }
        return Math.min(1, 2 / Math.sqrt(Math.PI) * Math.exp(-x * x) * sum);
    }
}
