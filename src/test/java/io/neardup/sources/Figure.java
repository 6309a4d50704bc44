package io.neardup.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * A number as it is printed.
 *
 * @param tolerance half of the last digit's worth for decimals, so that what rounds to them agrees; for whole numbers
 *     and fractions such as 17/21, which are exact, no more than rounding errors
 */
record Figure(double value, double tolerance) {
    private static final double ROUNDING = 1e-12;

    static Figure of(String printed) {
        int slash = printed.indexOf('/');
        if (slash >= 0) {
            double numerator = Double.parseDouble(printed.substring(0, slash));
            return exact(numerator / Double.parseDouble(printed.substring(slash + 1)));
        }
        BigDecimal decimal = new BigDecimal(printed);
        if (decimal.scale() <= 0) {
            return exact(decimal.doubleValue());
        }
        // A little more than a half: of ties some are printed down, some up.
        BigDecimal half = decimal.ulp().multiply(new BigDecimal("0.5001"));
        return new Figure(
                decimal.doubleValue(),
                half.round(new MathContext(5, RoundingMode.UP)).doubleValue());
    }

    private static Figure exact(double value) {
        return new Figure(value, ROUNDING * Math.abs(value));
    }

    void confirm(String what, double actual) {
        assertThat(actual).as(what).isCloseTo(value, within(tolerance));
    }
}
