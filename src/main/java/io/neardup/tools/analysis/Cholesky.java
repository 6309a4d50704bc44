package io.neardup.tools.analysis;

/** Systems of linear equations of a symmetric positive definite matrix A = L L', by its lower triangle L. */
final class Cholesky {
    private Cholesky() {}

    static double[][] of(double[][] matrix) {
        int size = matrix.length;
        double[][] lower = new double[size][size];
        for (int row = 0; row < size; row++) {
            for (int column = 0; column <= row; column++) {
                double rest = matrix[row][column];
                for (int i = 0; i < column; i++) {
                    rest -= lower[row][i] * lower[column][i];
                }
                lower[row][column] = row == column ? Math.sqrt(rest) : rest / lower[column][column];
            }
        }
        return lower;
    }

    /** The x of A x = b. */
    static double[] solve(double[][] lower, double[] right) {
        double[] solved = right.clone();
        for (int row = 0; row < solved.length; row++) {
            for (int i = 0; i < row; i++) {
                solved[row] -= lower[row][i] * solved[i];
            }
            solved[row] /= lower[row][row];
        }
        return solveUpper(lower, solved);
    }

    /** The x of L' x = b: of independent standard normal values some with the inverse of A as covariance. */
    static double[] solveUpper(double[][] lower, double[] right) {
        double[] solved = right.clone();
        for (int row = solved.length - 1; row >= 0; row--) {
            for (int i = row + 1; i < solved.length; i++) {
                solved[row] -= lower[i][row] * solved[i];
            }
            solved[row] /= lower[row][row];
        }
        return solved;
    }
}
