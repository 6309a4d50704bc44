package io.neardup.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.SCurve;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** What the sources say of the S-curve. */
class CurveStatementsTest {
    private static final int STEPS = 1_000;

    @StatementTest({"A24", "A25", "A26", "A27", "A28"})
    void shouldGiveTheProbabilityOfEachSetting(Statement statement) {
        SCurve curve = statement.banding("banding").curve();

        statement.confirm("probability", probabilities(curve, statement.numbers("at")));
        statement.confirm("half", curve.similarityAt(0.5));
        statement.confirm("steepest", curve.steepest());
    }

    @StatementTest("A29")
    void shouldRefuteThatTwoPiecesOfFiftyFindMostPairsAbove95Percent(Statement statement) {
        SCurve curve = statement.banding("banding").curve();
        double from = statement.number("from");
        double claimed = statement.number("claimed");

        double mean = Integral.of(curve::probability, from, 1) / (1 - from);

        statement.confirm("probability", curve.probability(from));
        statement.confirm("mean", mean);
        assertThat(mean).isLessThan(claimed);
        statement.confirm("claimedAt", curve.similarityAt(claimed));
    }

    @StatementTest({"A30", "B10", "D11"})
    void shouldGiveTheProbabilityAt(Statement statement) {
        statement.confirm(
                "probability", probabilities(statement.banding("banding").curve(), statement.numbers("at")));
    }

    @StatementTest("A36")
    void shouldMissNoneOfSoFewPairs(Statement statement) {
        double probability = statement.banding("banding").curve().probability(statement.number("at"));

        statement.confirm("probability", probability);
        assertThat(statement.whole("pairs") * (1 - probability)).isLessThan(statement.expectedNumber("missedAtMost"));
    }

    @StatementTest({"B11", "D05"})
    void shouldBeSteepestWhereItsSecondDerivativeIsZero(Statement statement) {
        statement.confirm("steepest", each(statement, SCurve::steepest));
        for (Banding banding : statement.bandings("bandings")) {
            SCurve curve = banding.curve();
            double step = 1e-4;
            double at = curve.steepest();
            double second = (curve.slope(at + step) - curve.slope(at - step)) / (2 * step);
            assertThat(second / curve.slope(at)).as(banding.toString()).isEqualTo(0, within(1e-3));
        }
    }

    @StatementTest("B12")
    void shouldFindMoreWithALowerThreshold(Statement statement) {
        statement.confirm("threshold", each(statement, SCurve::threshold));
        List<SCurve> curves =
                statement.bandings("bandings").stream().map(Banding::curve).toList();
        for (SCurve lower : curves) {
            for (SCurve higher : curves) {
                if (lower.threshold() < higher.threshold() - 0.1) {
                    assertThat(lower.probability(0.6)).isGreaterThan(higher.probability(0.6));
                }
            }
        }
    }

    @StatementTest("C20")
    void shouldLoseMostPairsBelowWhereItRises(Statement statement) {
        statement.confirm("probability", each(statement, curve -> curve.probability(statement.number("at"))));
    }

    @StatementTest("D03")
    void shouldRiseFromZeroToOne(Statement statement) {
        for (Banding banding : statement.bandings("bandings")) {
            SCurve curve = banding.curve();

            double[] probabilities = IntStream.rangeClosed(0, STEPS)
                    .mapToDouble(i -> curve.probability(i / (double) STEPS))
                    .toArray();

            assertThat(probabilities).isSorted();
            statement.confirm("ends", probabilities[0], probabilities[STEPS]);
            double plain = 1 - Math.pow(1 - Math.pow(0.9, banding.rows()), banding.bands());
            assertThat(curve.probability(0.9)).isEqualTo(plain, within(1e-12));
        }
    }

    @StatementTest("D04")
    void shouldRiseThroughoutThoughItsSlopeDoesNot(Statement statement) {
        List<Banding> bandings = statement.bandings("bandings");
        double[] at = statement.numbers("at");

        statement.confirm(
                "slope",
                IntStream.range(0, at.length)
                        .mapToDouble(i -> bandings.get(i).curve().slope(at[i]))
                        .toArray());
        for (int i = 0; i < at.length; i++) {
            SCurve curve = bandings.get(i).curve();
            double difference = (curve.probability(at[i] + 1e-6) - curve.probability(at[i] - 1e-6)) / 2e-6;
            assertThat(curve.slope(at[i])).isCloseTo(difference, within(1e-4));
            assertThat(curve.slope(0.999)).isLessThan(curve.slope(curve.steepest()));
        }
    }

    @StatementTest("D06")
    void shouldBeSteepestNearTheRuleOfThumbTheNearerTheMoreRows(Statement statement) {
        statement.confirm("threshold", each(statement, SCurve::threshold));
        for (int rows = 2; rows < 64; rows++) {
            SCurve curve = new SCurve(16, rows);
            SCurve next = new SCurve(16, rows + 1);
            assertThat(next.threshold() - next.steepest()).isLessThan(curve.threshold() - curve.steepest());
        }
    }

    @StatementTest("D07")
    void shouldFindTwoOfThreePairsAtTheThreshold(Statement statement) {
        statement.confirm("atThreshold", each(statement, curve -> curve.probability(curve.threshold())));
        statement.confirm("atSteepest", each(statement, curve -> curve.probability(curve.steepest())));
        double limit = 1 - 1 / Math.E;
        for (Banding banding : statement.bandings("bandings")) {
            SCurve curve = banding.curve();
            double exact = 1 - Math.pow(1 - 1.0 / banding.bands(), banding.bands());
            assertThat(curve.probability(curve.threshold()))
                    .isEqualTo(exact, within(1e-12))
                    .isGreaterThan(limit);
            if (banding.bands() > 4 && banding.rows() > 4) {
                assertThat(curve.probability(curve.steepest())).isEqualTo(limit, within(0.08));
            }
        }
    }

    @StatementTest("D08")
    void shouldHaveAboutTheSlopeOfTheRuleOfThumb(Statement statement) {
        statement.confirm("slope", each(statement, curve -> curve.slope(curve.steepest())));
        statement.confirm("approximately", each(statement, curve -> curve.rows() / (Math.E * curve.steepest())));
    }

    @StatementTest("D09")
    void shouldHalveItsWidthWithTwiceTheRowsAndTheSquareOfTheBands(Statement statement) {
        statement.confirm("threshold", each(statement, SCurve::threshold));
        statement.confirm("above", each(statement, curve -> curve.similarityAt(0.99) - curve.threshold()));
        statement.confirm("below", each(statement, curve -> curve.threshold() - curve.similarityAt(0.01)));

        double[] widths = each(statement, curve -> curve.similarityAt(0.99) - curve.similarityAt(0.01));

        for (int i = 1; i < widths.length; i++) {
            assertThat(widths[i] / widths[i - 1]).isBetween(0.5, 0.66);
        }
    }

    @StatementTest("D13")
    void shouldCrossProbabilitiesInClosedForm(Statement statement) {
        double[] probabilities = statement.numbers("probability");

        double[] similarities = statement.bandings("bandings").stream()
                .flatMapToDouble(banding -> Arrays.stream(probabilities).map(banding.curve()::similarityAt))
                .toArray();

        statement.confirm("similarity", similarities);
    }

    @StatementTest("D18")
    void shouldRiseWhereResultsAreMostFrequent(Statement statement) {
        SCurve curve = statement.banding("banding").curve();

        statement.confirm("steepest", curve.steepest());
        statement.confirm("threshold", curve.threshold());
        statement.confirm("half", curve.similarityAt(0.5));
    }

    private static double[] probabilities(SCurve curve, double[] similarities) {
        return Arrays.stream(similarities).map(curve::probability).toArray();
    }

    private static double[] each(Statement statement, ToDoubleFunction<SCurve> figure) {
        return statement.bandings("bandings").stream()
                .mapToDouble(banding -> figure.applyAsDouble(banding.curve()))
                .toArray();
    }
}
