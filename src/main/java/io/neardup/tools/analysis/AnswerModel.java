package io.neardup.tools.analysis;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * How likely a person calls a pair the same, by where it stands by each shingle ({@link PairPool}): a logistic curve
 * that falls with the mean rank, and with the rank by the shingles that the answers speak for.
 *
 * <p>The curve of the greatest posterior density, with normal priors: a steep curve somewhere, and all shingles alike.
 * One answer in {@value #WRONG_INVERSE} may be wrong wherever the pair stands, so a single odd one has little weight.
 * Newton's method with Fisher's information, which also gives the spread (Laplace's approximation; MacKay 2003,
 * chapters 27 and 41).
 */
final class AnswerModel {
    private static final int WRONG_INVERSE = 33;
    private static final double WRONG = 1.0 / WRONG_INVERSE;

    /** A factor e in rank changes the log odds by so much, give or take the spread. */
    private static final double SLOPE = 8;

    private static final double SLOPE_SPREAD = 4;
    /** Of the log odds at rank 1: as good as not known. */
    private static final double HEIGHT_SPREAD = 30;

    private static final double SHINGLE_SPREAD = Math.sqrt(10);
    /** Where the curve passes one half before any answer, as a part of the logarithm of the number of pairs. */
    private static final double MIDDLE = 0.6;

    private static final List<Double> MIDDLES = List.of(MIDDLE, 0.15, 0.3, 0.45, 0.75, 0.9);

    private static final int STEPS_MAX = 60;
    private static final double STEP_MAX = 3;
    private static final double STEP_MIN = 1e-4;

    private final PairPool pool;
    /** The height, the slope, and one more slope for each shingle. */
    private final double[] parameters;
    /** Lower triangle whose product with its transpose is the inverse of the covariance. */
    private final double[][] triangle;

    private AnswerModel(PairPool pool, double[] parameters, double[][] triangle) {
        this.pool = pool;
        this.parameters = parameters;
        this.triangle = triangle;
    }

    /**
     * The curve that fits answers. Wrong ones can make several that fit better than their neighbours: it is sought from
     * several places, and the best of them is taken.
     *
     * @param answers in the order in which they were given
     */
    static AnswerModel of(PairPool pool, List<Judged> answers) {
        double[][] rows = answers.stream().map(answer -> row(pool, answer.pair)).toArray(double[][]::new);
        Fit best = MIDDLES.stream()
                .map(middle -> new Fit(rows, answers, pool, middle))
                .min(Comparator.comparingDouble(fit -> fit.misfit))
                .orElseThrow();
        return new AnswerModel(pool, best.parameters, Cholesky.of(best.information));
    }

    record Judged(int pair, boolean isSame) {}

    /** Parameters that fit answers better than their neighbours, by Newton's method. */
    private static final class Fit {
        private final double[] prior;
        private final double[] parameters;
        /** The negative logarithm of the posterior density, but for a constant, and its gradient. */
        private double misfit;

        private final double[] gradient;
        /** Fisher's, with that of the prior. */
        private final double[][] information;

        Fit(double[][] rows, List<Judged> answers, PairPool pool, double middle) {
            this.prior = new double[2 + pool.shingles().size()];
            prior[0] = SLOPE * MIDDLE * pool.highestRank();
            prior[1] = SLOPE;
            this.parameters = prior.clone();
            parameters[0] = SLOPE * middle * pool.highestRank();
            this.gradient = new double[prior.length];
            this.information = new double[prior.length][prior.length];
            look(rows, answers);
            double largest = Double.POSITIVE_INFINITY;
            for (int step = 0; step < STEPS_MAX && largest >= STEP_MIN; step++) {
                double[] change = Cholesky.solve(Cholesky.of(information), gradient);
                largest = Arrays.stream(change).map(Math::abs).max().orElse(0);
                for (int i = 0; i < parameters.length; i++) {
                    parameters[i] -= change[i] * Math.min(1, STEP_MAX / largest);
                }
                look(rows, answers);
            }
        }

        /** At the parameters as they are. */
        private void look(double[][] rows, List<Judged> answers) {
            misfit = 0;
            for (int i = 0; i < parameters.length; i++) {
                double deviation = (parameters[i] - prior[i]) / spread(i);
                misfit += deviation * deviation / 2;
                gradient[i] = deviation / spread(i);
                Arrays.fill(information[i], 0);
                information[i][i] = 1 / (spread(i) * spread(i));
            }
            for (int answer = 0; answer < rows.length; answer++) {
                double[] row = rows[answer];
                double chance = logistic(IntStream.range(0, row.length)
                        .mapToDouble(i -> row[i] * parameters[i])
                        .sum());
                // The chance to hear same where one in so many answers is wrong, and how fast it rises.
                double told = WRONG + (1 - 2 * WRONG) * chance;
                double slope = (1 - 2 * WRONG) * chance * (1 - chance);
                double pull = slope / (told * (1 - told));
                boolean isSame = answers.get(answer).isSame;
                misfit -= Math.log(isSame ? told : 1 - told);
                for (int i = 0; i < parameters.length; i++) {
                    gradient[i] += (told - (isSame ? 1 : 0)) * pull * row[i];
                    for (int j = 0; j < parameters.length; j++) {
                        information[i][j] += slope * pull * row[i] * row[j];
                    }
                }
            }
        }
    }

    private static double spread(int parameter) {
        return parameter == 0 ? HEIGHT_SPREAD : parameter == 1 ? SLOPE_SPREAD : SHINGLE_SPREAD;
    }

    private static double[] row(PairPool pool, int pair) {
        double[] row = new double[2 + pool.shingles().size()];
        row[0] = 1;
        row[1] = -pool.rank(pair);
        for (int shingle = 0; shingle < pool.shingles().size(); shingle++) {
            row[2 + shingle] = -pool.deviation(shingle, pair);
        }
        return row;
    }

    private static double logistic(double odds) {
        return 1 / (1 + Math.exp(-odds));
    }

    /** Another curve that the answers leave open, drawn from the posterior. */
    AnswerModel drawn(SplittableRandom random) {
        double[] normal = new double[parameters.length];
        Arrays.setAll(normal, i -> random.nextGaussian());
        double[] drawn = Cholesky.solveUpper(triangle, normal);
        Arrays.setAll(drawn, i -> drawn[i] + parameters[i]);
        return new AnswerModel(pool, drawn, triangle);
    }

    double[] chances() {
        double[] chances = new double[pool.size()];
        Arrays.setAll(chances, pair -> {
            double odds = parameters[0] - parameters[1] * pool.rank(pair);
            for (int shingle = 0; shingle < pool.shingles().size(); shingle++) {
                odds -= parameters[2 + shingle] * pool.deviation(shingle, pair);
            }
            return logistic(odds);
        });
        return chances;
    }
}
