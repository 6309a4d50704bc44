package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.engine.lsh.Banding;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;

/** How likely two documents meet in a bucket, by their similarity: the S-curves of some bands and rows, in figures. */
record CurvesReport(@JsonIgnore List<Banding> bandings, List<Curve> curves) implements CommandReport {
    private static final int COLUMNS = 61;
    private static final int LINES = 21;
    private static final int TICK_COLUMNS = 12;

    @Override
    public void print(PrintWriter output) {
        List<DoubleUnaryOperator> drawn = new ArrayList<>();
        bandings.forEach(banding -> drawn.add(banding::probability));
        draw(drawn, output);
        output.println();
        for (int place = 0; place < curves.size(); place++) {
            curves.get(place).print(letter(place), output);
        }
    }

    /** Draws curves over the similarity, each with its letter. */
    static void draw(List<DoubleUnaryOperator> curves, PrintWriter output) {
        TextPlot plot = new TextPlot(LINES, COLUMNS);
        // The first one is drawn last: where curves meet, it is seen.
        for (int place = curves.size() - 1; place >= 0; place--) {
            plot.draw(curves.get(place), letter(place));
        }
        plot.lines("%5.2f ", "-".repeat(COLUMNS)).forEach(output::println);
        StringBuilder ticks = new StringBuilder(" ".repeat(7));
        for (int column = 0; column < COLUMNS; column += TICK_COLUMNS) {
            ticks.append(text("%-" + TICK_COLUMNS + ".2f", column / (COLUMNS - 1.0)));
        }
        output.println(ticks.toString().stripTrailing());
    }

    /** The letter of a curve by its place. */
    private static char letter(int place) {
        return (char) ('a' + place % 26);
    }

    @Override
    public ObjectNode json() {
        return Json.of(this);
    }

    /** The curves, and the probabilities at some similarities. */
    static CurvesReport of(List<Banding> bandings, List<Double> similarities) {
        return new CurvesReport(
                bandings,
                bandings.stream()
                        .map(banding -> Curve.of(banding, similarities))
                        .toList());
    }

    /**
     * A curve in figures.
     *
     * @param hashes values of a signature
     * @param threshold the rule of thumb for where it rises, (1/b)^(1/r)
     * @param steepest the similarity at which it is steepest
     * @param slope the slope there
     * @param similarityAt by probability, the similarity that is met with it
     * @param at by similarity, the probability that two documents meet
     */
    private record Curve(
            int bands,
            int rows,
            int hashes,
            double threshold,
            double steepest,
            double slope,
            SortedMap<Double, Double> similarityAt,
            SortedMap<Double, Double> at) {
        private static final List<Double> PROBABILITIES = List.of(0.01, 0.5, 0.99);

        static Curve of(Banding curve, List<Double> similarities) {
            SortedMap<Double, Double> similarityAt = new TreeMap<>();
            PROBABILITIES.forEach(probability -> similarityAt.put(probability, curve.similarityAt(probability)));
            SortedMap<Double, Double> at = new TreeMap<>();
            similarities.forEach(similarity -> at.put(similarity, curve.probability(similarity)));
            return new Curve(
                    curve.bands(),
                    curve.rows(),
                    curve.hashes(),
                    curve.threshold(),
                    curve.steepest(),
                    curve.slope(curve.steepest()),
                    similarityAt,
                    at);
        }

        void print(char letter, PrintWriter output) {
            output.println(text(
                    "%c  %d x %d, %d hashes: rises around %.4f, steepest at %.4f with slope %.2f",
                    letter, bands, rows, hashes, threshold, steepest, slope));
            similarityAt.forEach((probability, similarity) ->
                    output.println(text("     met with probability %.2f: similarity %.4f", probability, similarity)));
            at.forEach((similarity, probability) ->
                    output.println(text("     similarity %s: met with probability %.6g", similarity, probability)));
        }
    }
}
