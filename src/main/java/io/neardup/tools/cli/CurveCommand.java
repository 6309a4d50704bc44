package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.engine.lsh.Banding;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How likely two documents meet in a bucket, by their similarity. */
@Command(
        name = "curve",
        description = {
            "Shows the chance that two documents share a bucket.",
            "It goes by their similarity: the S-curve 1 - (1 - s^rows)^bands."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        footer = {
            "",
            "Examples:",
            "  java -jar neardup.jar curve --bands 42 --rows 3 --at 0.5,0.05",
            "  java -jar neardup.jar curve --bands 26,16 --rows 5,8 --png curves.png",
            "",
            "Several settings at once: as many numbers of rows as of bands."
        })
final class CurveCommand implements Callable<Integer> {
    private static final int NUMBER_MAX = 40_000;

    @Option(names = "--bands", paramLabel = "N", split = ",", required = true, description = "Bands.")
    private List<Integer> bands = new ArrayList<>();

    @Option(names = "--rows", paramLabel = "N", split = ",", required = true, description = "Rows of a band.")
    private List<Integer> rows = new ArrayList<>();

    @Option(
            names = "--at",
            paramLabel = "S",
            split = ",",
            description = "Print the probabilities at these similarities.")
    private List<Double> at = new ArrayList<>();

    @Option(names = "--json", description = "Print the figures as a JSON object.")
    private boolean json;

    @Option(names = "--png", paramLabel = "FILE", description = "Draw the curves there.")
    private @Nullable Path png;

    @Option(names = "--svg", paramLabel = "FILE", description = "Draw the curves there, as vectors.")
    private @Nullable Path svg;

    @Mixin
    private CommandTalk talk = new CommandTalk();

    /** The S-curves in figures. */
    private record Report(@JsonIgnore List<Banding> bandings, List<Curve> curves) implements CommandReport {
        private static final int COLUMNS = 61;
        private static final int LINES = 21;
        private static final int TICK_COLUMNS = 12;

        @Override
        public void print(PrintWriter output) {
            TextPlot plot = new TextPlot(LINES, COLUMNS);
            // The first one is drawn last: where curves meet, it is seen.
            for (int place = curves.size() - 1; place >= 0; place--) {
                plot.draw(bandings.get(place)::probability, letter(place));
            }
            plot.lines("%5.2f ", "-".repeat(COLUMNS)).forEach(output::println);
            StringBuilder ticks = new StringBuilder(" ".repeat(7));
            for (int column = 0; column < COLUMNS; column += TICK_COLUMNS) {
                ticks.append(text("%-" + TICK_COLUMNS + ".2f", column / (COLUMNS - 1.0)));
            }
            output.println(ticks.toString().stripTrailing());
            output.println();
            for (int place = 0; place < curves.size(); place++) {
                curves.get(place).print(letter(place), output);
            }
        }

        /** The letter of a curve by its place. */
        private static char letter(int place) {
            return (char) ('a' + place % 26);
        }

        @Override
        public ObjectNode json() {
            return Json.of(this);
        }
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

    @Override
    public Integer call() throws IOException {
        List<Banding> curves = curves();
        at.forEach(similarity -> talk.check(similarity >= 0 && similarity <= 1, "--at", "0 to 1", similarity));
        if (png != null) {
            Charts.write(OutputFile.checked("--png", png), Charts.curves(curves), "png");
        }
        if (svg != null) {
            Charts.write(OutputFile.checked("--svg", svg), Charts.curves(curves), "svg");
        }
        talk.print(
                new Report(
                        curves,
                        curves.stream().map(curve -> Curve.of(curve, at)).toList()),
                json);
        return ExitCode.OK;
    }

    private List<Banding> curves() {
        if (bands.size() != rows.size()) {
            throw talk.wrong(
                    "--bands and --rows: expected as many of both, found " + bands.size() + " and " + rows.size());
        }
        bands.forEach(number -> talk.check("--bands", number, 1, NUMBER_MAX));
        rows.forEach(number -> talk.check("--rows", number, 1, NUMBER_MAX));
        List<Banding> curves = new ArrayList<>();
        for (int i = 0; i < bands.size(); i++) {
            curves.add(new Banding(bands.get(i), rows.get(i)));
        }
        return curves;
    }
}
