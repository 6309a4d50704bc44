package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.BandingTargets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What follows from settings, from bands and rows, or from two targets; it reckons alone. */
@Command(
        name = "plan",
        description = {
            "Tells what follows from the settings, without a cluster.",
            "Bands x rows, recall, false candidates, memory, disk, the S-curve, and the topology of Kafka Streams. Or,"
                    + " in place of the settings: what follows from some --bands and --rows; or which bands x rows of"
                    + " the fewest hashes --find pairs of one similarity and --reject those of another."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        footer = {
            "",
            "Examples:",
            "  java -jar neardup.jar plan --set neardup.similarity.threshold=0.8",
            "  java -jar neardup.jar plan --bands 42 --rows 3 --at 0.5,0.05",
            "  java -jar neardup.jar plan --bands 26,16 --rows 5,8 --png curves.png",
            "Find 99 %% of pairs at 0.5, and not more than 0.1 %% of those at 0.05:",
            "  java -jar neardup.jar plan --find 0.5:0.99 --reject 0.05:0.001 --hashes 128",
            "",
            "Exit code 1 if no bands x rows within the hashes does both; the cheapest that",
            "would and the nearest within the hashes are printed then."
        })
final class PlanCommand implements Callable<Integer> {
    private static final int NUMBER_MAX = 40_000;
    private static final Set<String> OF_CURVES = Set.of("--bands", "--rows", "--at", "--png", "--svg", "--json");
    private static final Set<String> OF_TARGETS = Set.of("--find", "--reject", "--hashes", "--json");
    private static final Set<String> OF_SETTINGS =
            Set.of("--topology", "--at", "--png", "--svg", "--json", "--config", "--preset", "--set");

    @Option(
            names = "--bands",
            paramLabel = "N",
            split = ",",
            description = "Bands; several settings at once: as many numbers of rows.")
    private List<Integer> bands = new ArrayList<>();

    @Option(names = "--rows", paramLabel = "N", split = ",", description = "Rows of a band.")
    private List<Integer> rows = new ArrayList<>();

    @Option(
            names = "--at",
            paramLabel = "S",
            split = ",",
            description = "Print the probabilities to meet at these similarities.")
    private List<Double> at = new ArrayList<>();

    @Option(names = "--png", paramLabel = "FILE", description = "Draw the curves there.")
    private @Nullable Path png;

    @Option(names = "--svg", paramLabel = "FILE", description = "Draw the curves there, as vectors.")
    private @Nullable Path svg;

    @Option(
            names = "--find",
            paramLabel = "S:P",
            description = "Pairs of similarity S are to meet with probability P at the least.")
    private @Nullable String find;

    @Option(
            names = "--reject",
            paramLabel = "S:P",
            description = "Pairs of similarity S are to meet with probability P at the most.")
    private @Nullable String reject;

    @Option(
            names = "--hashes",
            paramLabel = "N",
            defaultValue = "256",
            description = "With --find: the most values of a signature (default: ${DEFAULT-VALUE}, all that the service"
                    + " takes).")
    private int hashes;

    @Option(names = "--topology", description = "Print the topology of Kafka Streams, too; --json always has it.")
    private boolean topology;

    @Option(names = "--json", description = "Print the figures as a JSON object.")
    private boolean json;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Mixin
    private CommandTalk talk = new CommandTalk();

    @Override
    public Integer call() throws IOException {
        at.forEach(similarity -> talk.check(similarity >= 0 && similarity <= 1, "--at", "0 to 1", similarity));
        if (find != null || reject != null) {
            return ofTargets(find, reject);
        }
        return bands.isEmpty() && rows.isEmpty() ? ofSettings() : ofCurves();
    }

    private int ofSettings() throws IOException {
        talk.refuseOthers("the settings", OF_SETTINGS);
        NeardupConfig config = NeardupConfig.of(options.settings());
        config.warnings().forEach(talk.err()::println);
        draw(Map.of(name(config.banding()), similarity -> PlanReport.probability(config, similarity)));
        talk.print(PlanReport.of(config, at, topology), json);
        return ExitCode.OK;
    }

    private int ofCurves() throws IOException {
        talk.refuseOthers("--bands and --rows", OF_CURVES);
        List<Banding> curves = curves();
        Map<String, DoubleUnaryOperator> drawn = new LinkedHashMap<>();
        curves.forEach(curve -> drawn.put(name(curve), curve::probability));
        draw(drawn);
        talk.print(CurvesReport.of(curves, at), json);
        return ExitCode.OK;
    }

    private int ofTargets(@Nullable String finding, @Nullable String rejecting) {
        talk.refuseOthers("--find and --reject", OF_TARGETS);
        if (finding == null || rejecting == null) {
            throw talk.wrong(
                    "expected both --find and --reject, found " + (finding == null ? "--reject" : "--find") + " alone");
        }
        talk.check("--hashes", hashes, 1, BandingTargets.HASHES_MAX);
        TargetsReport report = talk.valid(() -> TargetsReport.of(finding, rejecting, hashes));
        talk.print(report, json);
        return report.isMet() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private static String name(Banding banding) {
        return banding.bands() + " bands x " + banding.rows() + " rows";
    }

    private void draw(Map<String, DoubleUnaryOperator> curves) throws IOException {
        if (png != null) {
            Charts.write(OutputFile.checked("--png", png), Charts.curves(curves), "png");
        }
        if (svg != null) {
            Charts.write(OutputFile.checked("--svg", svg), Charts.curves(curves), "svg");
        }
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
