package io.neardup.tools.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.engine.lsh.Banding;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How likely two documents meet in a bucket, by their similarity. */
@Command(
        name = "curve",
        description = "Shows the chance that two documents share a bucket, by their similarity: the S-curve"
                + " 1 - (1 - s^rows)^bands.",
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
    private static final ObjectMapper JSON = new ObjectMapper();

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

    @Override
    public Integer call() throws IOException {
        List<Banding> curves = curves();
        at.forEach(similarity -> talk.check(similarity >= 0 && similarity <= 1, "--at", "0 to 1", similarity));
        List<CurveReport> reports =
                curves.stream().map(curve -> CurveReport.of(curve, at)).toList();
        if (png != null) {
            Picture.write(OutputFile.checked("--png", png), CurveChart.of(curves), "png");
        }
        if (svg != null) {
            Picture.write(OutputFile.checked("--svg", svg), CurveChart.of(curves), "svg");
        }
        PrintWriter output = talk.out();
        print(curves, reports, output);
        output.flush();
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

    private void print(List<Banding> curves, List<CurveReport> reports, PrintWriter output)
            throws JsonProcessingException {
        if (json) {
            output.println(JSON.writeValueAsString(Map.of("curves", reports)));
            return;
        }
        CurvePlot.lines(curves).forEach(output::println);
        output.println();
        for (int place = 0; place < reports.size(); place++) {
            print(CurvePlot.letter(place), reports.get(place), output);
        }
    }

    private static void print(char letter, CurveReport report, PrintWriter output) {
        output.printf(
                Locale.ROOT,
                "%c  %s, %d hashes: rises around %.4f, steepest at %.4f with slope %.2f%n",
                letter,
                report.name(),
                report.hashes(),
                report.threshold(),
                report.steepest(),
                report.slope());
        report.similarityAt()
                .forEach((probability, similarity) -> output.printf(
                        Locale.ROOT, "     met with probability %.2f: similarity %.4f%n", probability, similarity));
        report.at()
                .forEach((similarity, probability) -> output.printf(
                        Locale.ROOT, "     similarity %s: met with probability %.6g%n", similarity, probability));
    }
}
