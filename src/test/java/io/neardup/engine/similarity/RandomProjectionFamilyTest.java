package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.similarity.Family.Material;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RandomProjectionFamilyTest extends FamilyContract {
    private static final int DIMENSIONS = 12;

    @Override
    Family family() {
        return family(DIMENSIONS, 4);
    }

    private static Family family(int dimensions, double width) {
        return new RandomProjectionFamily(
                Map.of("dimensions", String.valueOf(dimensions), "width", String.valueOf(width)));
    }

    @Override
    String text(SplittableRandom random) {
        return text(vector(random, DIMENSIONS));
    }

    @Override
    String edited(String text, SplittableRandom random) {
        double[] vector =
                Arrays.stream(text.split(" ")).mapToDouble(Double::parseDouble).toArray();
        return text(moved(vector, 8 * random.nextDouble(), random));
    }

    private static double[] vector(SplittableRandom random, int dimensions) {
        return random.doubles(dimensions, -5, 5).toArray();
    }

    private static String text(double[] vector) {
        return DoubleStream.of(vector).mapToObj(Double::toString).collect(Collectors.joining(" "));
    }

    /** The vector moved by a distance, in a random direction. */
    private static double[] moved(double[] vector, double distance, SplittableRandom random) {
        double[] direction = vector(random, vector.length);
        double length = Math.sqrt(DoubleStream.of(direction).map(c -> c * c).sum());
        return IntStream.range(0, vector.length)
                .mapToDouble(i -> vector[i] + direction[i] * distance / length)
                .toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 12, 300})
    void shouldEqualTheDistanceOfTheDecimals(int dimensions) throws UnsignableException {
        SplittableRandom random = new SplittableRandom(dimensions);
        for (int i = 0; i < 50; i++) {
            double[] a = vector(random, dimensions);
            double[] b = moved(a, Math.pow(10, 6 * random.nextDouble() - 3), random);
            BigDecimal squares = IntStream.range(0, dimensions)
                    .mapToObj(at -> new BigDecimal(a[at]).subtract(new BigDecimal(b[at])))
                    .map(difference -> difference.multiply(difference))
                    .reduce(BigDecimal.ZERO, BigDecimal::add);
            double distance = squares.sqrt(MathContext.DECIMAL64).doubleValue();

            assertThat(similarity(dimensions, text(a), text(b)).value()).isEqualTo(1 / (1 + distance), within(1e-14));
        }
    }

    /** The integral over the places where the projected difference can fall in the bucket, by Simpson's rule. */
    @ParameterizedTest
    @CsvSource({"0.1,4", "0.5,4", "1,4", "2,4", "4,4", "9,4", "30,4", "1000,4", "1,1", "1,0.25", "100,400"})
    void shouldEqualTheIntegral(double distance, double width) {
        int steps = 20_000;
        double integral = IntStream.rangeClosed(0, steps)
                .mapToDouble(i -> {
                    double t = i * width / steps;
                    double weight = i == 0 || i == steps ? 1 : 2 + 2 * (i % 2);
                    double density =
                            2 / (distance * Math.sqrt(2 * Math.PI)) * Math.exp(-t * t / (2 * distance * distance));
                    return weight * density * (1 - t / width) * width / steps / 3;
                })
                .sum();

        assertThat(family(1, width).agreement(1 / (1 + distance))).isEqualTo(integral, within(1e-12));
    }

    @Test
    void shouldAgreeOnFourFifthsAtTheUsualThreshold() {
        Family family = new RandomProjectionFamily(Map.of("dimensions", "3"));

        assertThat(family.agreement(family.defaultThreshold())).isEqualTo(0.8005, within(1e-4));
        assertThat(family.agreement(0)).isZero();
        assertThat(family.agreement(Double.MIN_NORMAL)).isBetween(0.0, 1e-9);
        assertThat(family.agreement(Math.nextDown(1.0))).isBetween(1 - 1e-9, 1.0);
        assertThat(family.material()).isEqualTo(Material.NUMBERS);
    }

    /** Pinned: an index lives longer than a release. */
    @Test
    void shouldKeepItsValues() throws UnsignableException {
        SignedText signed = sign(family(3, 4).signer(6, 42), "1 -2.5 1e1");

        assertThat(signed.values())
                .containsExactly(2039328294, 1822393479, 1822393479, 1885966792, -280854565, 1841124876);
        assertThat(signed.evidence().bytes())
                .containsExactly(
                        0x3F, 0xF0, 0, 0, 0, 0, 0, 0, 0xC0, 0x04, 0, 0, 0, 0, 0, 0, 0x40, 0x24, 0, 0, 0, 0, 0, 0);
    }

    @Test
    void shouldTakeNumbersOfAnySize() throws UnsignableException {
        String huge = "1e100 -1e100 1e100";
        assertThat(similarity(3, huge, huge)).isEqualTo(Similarity.of(1));
        assertThat(similarity(3, huge, "-1e100 1e100 -1e100"))
                .isEqualTo(Similarity.of(1 / (1 + Math.sqrt(12) * 1e100)));
        assertThat(similarity(3, "0 1e-320 3", "-0 -0.0 +3.")).isEqualTo(Similarity.of(1));
        TextSigner signer = family(1, 4).signer(16, 1);
        assertThat(equalValues(sign(signer, "1e99"), sign(signer, "2e99")))
                .as("large numbers in one bucket")
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {" 1 2 3", "[1,2,3]", "[ 1.0, 2e0 ,3 ]", "1\t2\n3"})
    void shouldTakeNumbersHoweverTheyAreSeparated(String text) throws UnsignableException {
        assertThat(similarity(3, text, "1 2 3")).isEqualTo(Similarity.of(1));
    }

    @ParameterizedTest
    @CsvSource({
        "'', 0",
        "1 2, 2",
        "1 2 3 4, 4",
        "1  3, 2",
        "1 2 x, at 3",
        "NaN 2 3, at 1",
        "1 1e101 3, at 2",
        "1 2 3d, at 3",
        "1 2 0x1p3, at 3",
        "1 2 1e, at 3",
        "1 2 \u0663, at 3"
    })
    void shouldNotSignOtherTexts(String text, String found) {
        TextSigner signer = family(3, 4).signer(8, 1);
        assertThatExceptionOfType(UnsignableException.class)
                .isThrownBy(() -> sign(signer, text))
                .withMessage(
                        found.startsWith("at")
                                ? "Expected 3 numbers in decimal from -1e100 to 1e100; found none at position "
                                        + found.substring(3)
                                : "Expected 3 numbers with commas or white space between; found " + found);
    }

    @Test
    void shouldTellEveryProblemWithItsOptions() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RandomProjectionFamily(Map.of("dimensions", "4097", "width", "-1", "bits", "8")))
                .withMessage("neardup.family.dimensions=4097: expected an integer from 1 to 4096;"
                        + " neardup.family.width=-1: expected a finite number above 0;"
                        + " neardup.family.bits is unknown: expected dimensions or width");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RandomProjectionFamily(Map.of("width", "NaN")))
                .withMessage("neardup.family.dimensions is not set: expected an integer from 1 to 4096;"
                        + " neardup.family.width=NaN: expected a finite number above 0");
    }

    private static Similarity similarity(int dimensions, String a, String b) throws UnsignableException {
        return similarity(family(dimensions, 4), a, b);
    }
}
