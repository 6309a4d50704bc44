package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CholeskyTest {
    private static final double[][] MATRIX = {{4, 2, -1}, {2, 6, 0.5}, {-1, 0.5, 3}};

    @Test
    void shouldSolveWhatItIsTheTriangleOf() {
        double[] right = {1, -2, 3};

        double[] solved = Cholesky.solve(Cholesky.of(MATRIX), right);

        for (int row = 0; row < right.length; row++) {
            double product = 0;
            for (int i = 0; i < solved.length; i++) {
                product += MATRIX[row][i] * solved[i];
            }
            assertThat(product).isCloseTo(right[row], within(1e-12));
        }
    }

    @Test
    void shouldSpreadNormalValuesAsTheInverseSays() {
        double[][] lower = Cholesky.of(MATRIX);
        SplittableRandom random = new SplittableRandom(1);
        int draws = 100_000;
        double variance = 0;
        double covariance = 0;
        for (int draw = 0; draw < draws; draw++) {
            double[] values = Cholesky.solveUpper(
                    lower, new double[] {random.nextGaussian(), random.nextGaussian(), random.nextGaussian()});
            variance += values[0] * values[0] / draws;
            covariance += values[0] * values[1] / draws;
        }

        double[] column = Cholesky.solve(lower, new double[] {1, 0, 0});
        assertThat(variance).isCloseTo(column[0], within(0.01));
        assertThat(covariance).isCloseTo(column[1], within(0.01));
    }
}
