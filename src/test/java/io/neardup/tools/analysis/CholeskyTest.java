package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
}
