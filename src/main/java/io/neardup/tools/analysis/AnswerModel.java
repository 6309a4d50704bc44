package io.neardup.tools.analysis;

import java.util.Arrays;
import java.util.SplittableRandom;

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

    /** Where else the search starts. */
    private static final double[] MIDDLES = {0.15, 0.3, 0.45, 0.75, 0.9};

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
     * @param pairs that were answered
     * @param isSame what was said of each
     */
    static AnswerModel of(PairPool pool, int[] pairs, boolean[] isSame) {
        Fit fit = new Fit(pool, pairs, isSame);
        double[] best = fit.from(fit.prior(MIDDLE));
        for (double middle : MIDDLES) {
            double[] other = fit.from(fit.prior(middle));
            best = fit.misfit(other) < fit.misfit(best) ? other : best;
        }
        return new AnswerModel(pool, best, Cholesky.of(fit.information(best)));
    }

    /** The search for the parameters. */
    private static final class Fit {
        private final double[][] rows;
        private final boolean[] isSame;
        private final double[] prior;
        private final double highest;

        Fit(PairPool pool, int[] pairs, boolean[] isSame) {
            this.rows = new double[pairs.length][];
            for (int i = 0; i < pairs.length; i++) {
                rows[i] = row(pool, pairs[i]);
            }
            this.isSame = isSame;
            this.highest = pool.highestRank();
            this.prior = new double[2 + pool.shingles().size()];
            prior[0] = SLOPE * MIDDLE * highest;
            prior[1] = SLOPE;
        }

        /** Parameters of the prior with the middle at another place. */
        double[] prior(double middle) {
            double[] parameters = prior.clone();
            parameters[0] = SLOPE * middle * highest;
            return parameters;
        }

        /** Newton's method. */
        double[] from(double[] start) {
            double[] parameters = start.clone();
            for (int step = 0; step < STEPS_MAX; step++) {
                double[] change = Cholesky.solve(Cholesky.of(information(parameters)), gradient(parameters));
                double largest = Arrays.stream(change).map(Math::abs).max().orElse(0);
                for (int i = 0; i < parameters.length; i++) {
                    parameters[i] -= change[i] * Math.min(1, STEP_MAX / largest);
                }
                if (largest < STEP_MIN) {
                    break;
                }
            }
            return parameters;
        }

        /** The negative logarithm of the posterior density, but for a constant. */
        double misfit(double[] parameters) {
            double misfit = 0;
            for (int i = 0; i < parameters.length; i++) {
                double deviation = (parameters[i] - prior[i]) / spread(i);
                misfit += deviation * deviation / 2;
            }
            for (int i = 0; i < rows.length; i++) {
                double told = told(chance(rows[i], parameters));
                misfit -= Math.log(isSame[i] ? told : 1 - told);
            }
            return misfit;
        }

        private double[] gradient(double[] parameters) {
            double[] gradient = new double[parameters.length];
            for (int i = 0; i < parameters.length; i++) {
                gradient[i] = (parameters[i] - prior[i]) / (spread(i) * spread(i));
            }
            for (int answer = 0; answer < rows.length; answer++) {
                double chance = chance(rows[answer], parameters);
                double told = told(chance);
                double pull = (told - (isSame[answer] ? 1 : 0)) * slope(chance) / (told * (1 - told));
                for (int i = 0; i < parameters.length; i++) {
                    gradient[i] += pull * rows[answer][i];
                }
            }
            return gradient;
        }

        /** Fisher's information with that of the prior. */
        double[][] information(double[] parameters) {
            double[][] information = new double[parameters.length][parameters.length];
            for (int i = 0; i < parameters.length; i++) {
                information[i][i] = 1 / (spread(i) * spread(i));
            }
            for (double[] row : rows) {
                double chance = chance(row, parameters);
                double told = told(chance);
                double weight = slope(chance) * slope(chance) / (told * (1 - told));
                for (int i = 0; i < parameters.length; i++) {
                    for (int j = 0; j < parameters.length; j++) {
                        information[i][j] += weight * row[i] * row[j];
                    }
                }
            }
            return information;
        }

        private static double chance(double[] row, double[] parameters) {
            double odds = 0;
            for (int i = 0; i < row.length; i++) {
                odds += row[i] * parameters[i];
            }
            return logistic(odds);
        }

        /** The chance to hear same where one in so many answers is wrong. */
        private static double told(double chance) {
            return WRONG + (1 - 2 * WRONG) * chance;
        }

        /** How fast it rises with the log odds. */
        private static double slope(double chance) {
            return (1 - 2 * WRONG) * chance * (1 - chance);
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
        for (int i = 0; i < normal.length; i++) {
            normal[i] = random.nextGaussian();
        }
        double[] drawn = Cholesky.solveUpper(triangle, normal);
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] += parameters[i];
        }
        return new AnswerModel(pool, drawn, triangle);
    }

    /** The chance of each pair of the pool to be the same. */
    double[] chances() {
        double[] odds = new double[pool.size()];
        for (int pair = 0; pair < odds.length; pair++) {
            odds[pair] = parameters[0] - parameters[1] * pool.rank(pair);
        }
        for (int shingle = 0; shingle < pool.shingles().size(); shingle++) {
            double slope = parameters[2 + shingle];
            for (int pair = 0; pair < odds.length; pair++) {
                odds[pair] -= slope * pool.deviation(shingle, pair);
            }
        }
        for (int pair = 0; pair < odds.length; pair++) {
            odds[pair] = logistic(odds[pair]);
        }
        return odds;
    }
}
