package io.neardup.engine.lsh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BandingTest {
    @Test
    void shouldGiveEqualKeysExactlyWhereABandAgrees() {
        Banding banding = new Banding(26, 5);
        int[] values = new SplittableRandom(1).ints(130).toArray();
        BandKeys keys = banding.keys(values);
        for (int changed = 0; changed < values.length; changed++) {
            int[] others = values.clone();
            others[changed] ^= 1 << (changed % 32);

            BandKeys otherKeys = banding.keys(others);

            for (int band = 0; band < 26; band++) {
                assertThat(otherKeys.key(band) == keys.key(band)).isEqualTo(band != changed / 5);
            }
        }
    }

    /** Two bands of the same values have unlike keys; the last value is left unused. */
    @Test
    void shouldKeepItsKeys() {
        Banding banding = new Banding(2, 3);

        assertThat(banding.keys(new int[] {1, -2, 3, 1, -2, 3, 4}))
                .isEqualTo(BandKeys.owning(new long[] {0x2478F7CF738D8A31L, 0x9B5B48C55B86E289L}));
        assertThat(banding.hashes()).isEqualTo(6);
    }

    @Test
    void shouldRefuseWhatDoesNotFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Banding(26, 5).keys(new int[129]))
                .withMessage("Signature of 129 values: expected at least 130 for 26 bands x 5 rows");
        assertThatIllegalArgumentException().isThrownBy(() -> new Banding(0, 5));
        assertThatIllegalArgumentException().isThrownBy(() -> new Banding(5, 0));
    }

    // ---- the S-curve

    @ParameterizedTest
    @CsvSource({
        "2,50,0.1,2e-50", "2,50,0.5,1.77636e-15", "2,50,0.8,2.85448e-05", "2,50,0.9,0.010281", "2,50,0.95,0.147969",
        "2,50,0.99,0.84398", "5,20,0.1,5e-20", "5,20,0.5,4.76836e-06", "5,20,0.8,0.0563321", "5,20,0.95,0.89135",
        "10,10,0.1,1e-09", "10,10,0.7,0.249144", "10,10,0.8,0.67886", "10,10,0.9,0.986261", "20,5,0.1,0.000199981",
        "20,5,0.4,0.18605", "20,5,0.5,0.470051", "20,5,0.8,0.999644", "50,2,0.1,0.394994", "50,2,0.2,0.870114",
        "50,2,0.4,0.999836", "42,3,0.5,0.99633277", "42,3,0.05,0.00523657"
    })
    void shouldGiveTheProbability(int bands, int rows, double similarity, double expected) {
        assertThat(new Banding(bands, rows).probability(similarity)).isCloseTo(expected, withPercentage(3e-4));
    }

    @ParameterizedTest
    @CsvSource({"4,4", "64,2", "42,3", "26,5", "5,25"})
    void shouldKnowWhereItRises(int bands, int rows) {
        Banding curve = new Banding(bands, rows);

        assertThat(curve.slope(curve.steepest()))
                .isGreaterThan(curve.slope(curve.steepest() - 1e-6))
                .isGreaterThan(curve.slope(curve.steepest() + 1e-6));
        assertThat(curve.probability(curve.threshold())).isEqualTo(1 - Math.pow(1 - 1.0 / bands, bands), within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"26,5", "42,3", "16,8", "1,1", "1,7", "9,1"})
    void shouldBeTheIntegralOfItsSlopeAndTheInverseOfItself(int bands, int rows) {
        Banding curve = new Banding(bands, rows);
        for (double s = 0.05; s < 0.95; s += 0.01) {
            double step = 1e-6;
            double difference = (curve.probability(s + step) - curve.probability(s - step)) / (2 * step);
            assertThat(curve.slope(s)).isEqualTo(difference, within(1e-6));
            if (curve.probability(s) < 0.999) {
                assertThat(curve.similarityAt(curve.probability(s))).isEqualTo(s, within(1e-9));
            }
        }
    }

    @Test
    void shouldKeepTheDigitsOfTinyProbabilities() {
        BigDecimal none = BigDecimal.ONE.subtract(new BigDecimal("0.02").pow(5)).pow(26, new MathContext(60));
        double expected = BigDecimal.ONE.subtract(none).doubleValue();

        assertThat(new Banding(26, 5).probability(0.02)).isCloseTo(expected, withPercentage(1e-12));
        assertThat(new Banding(26, 5).similarityAt(expected)).isCloseTo(0.02, withPercentage(1e-12));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
    void shouldRefuseWhatIsNoShare(double value) {
        Banding curve = new Banding(26, 5);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> curve.probability(value))
                .withMessageContaining("similarity " + value + ", expected 0 to 1");
        assertThatIllegalArgumentException().isThrownBy(() -> curve.similarityAt(value));
        assertThatIllegalArgumentException().isThrownBy(() -> curve.slope(value));
    }
}
