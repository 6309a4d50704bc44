package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorFunctionTest {
    private static final MathContext DIGITS = new MathContext(60);
    private static final BigDecimal SQRT_PI =
            new BigDecimal("3.14159265358979323846264338327950288419716939937510582097494459").sqrt(DIGITS);

    /** Abramowitz and Stegun, table 7.1. */
    @ParameterizedTest
    @CsvSource({"0,0", "0.5,0.5204998778", "1,0.8427007929", "1.5,0.9661051465", "2,0.9953222650", "Infinity,1"})
    void shouldHaveTheValuesOfTheTable(double x, double erf) {
        assertThat(ErrorFunction.of(x)).isEqualTo(erf, within(5.1e-11));
    }

    /** The alternating series about 0, which needs the 60 digits. */
    @Test
    void shouldEqualTheMaclaurinSeries() {
        for (double x = 0.01; x < 6.2; x += 0.083) {
            BigDecimal square =
                    new BigDecimal(x).multiply(new BigDecimal(x), DIGITS).negate();
            BigDecimal power = new BigDecimal(x);
            BigDecimal sum = power;
            for (int n = 1; n < 400; n++) {
                power = power.multiply(square, DIGITS).divide(BigDecimal.valueOf(n), DIGITS);
                sum = sum.add(power.divide(BigDecimal.valueOf(2L * n + 1), DIGITS), DIGITS);
            }
            BigDecimal erf = sum.multiply(BigDecimal.valueOf(2)).divide(SQRT_PI, DIGITS);

            assertThat(ErrorFunction.of(x)).isEqualTo(erf.doubleValue(), within(1e-14));
        }
    }
}
