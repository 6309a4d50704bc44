package io.neardup.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.lsh.Banding;
import io.neardup.lsh.BandingTargets;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Bands and rows from what they are to find and to leave alone. */
@Command(
        name = "tune",
        description = "Finds the bands x rows of the fewest hashes that find pairs of one similarity and leave those of"
                + " another alone.",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        footer = {
            "",
            "Example: find 99 % of pairs at 0.5, and not more than 0.1 % of those at 0.05",
            "  java -jar neardup.jar tune --find 0.5:0.99 --reject 0.05:0.001 --hashes 128",
            "",
            "Exit code 1 if no bands x rows within the hashes does; the cheapest that would and",
            "the nearest within the hashes are printed then."
        })
final class TuneCommand implements Callable<Integer> {
    private static final int HASHES_MAX = BandingTargets.HASHES_MAX;
    private static final ObjectMapper JSON = new ObjectMapper();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--find",
            paramLabel = "S:P",
            required = true,
            description = "Pairs of similarity S are to meet with probability P at the least.")
    private String find = "";

    @Option(
            names = "--reject",
            paramLabel = "S:P",
            required = true,
            description = "Pairs of similarity S are to meet with probability P at the most.")
    private String reject = "";

    @Option(
            names = "--hashes",
            paramLabel = "N",
            defaultValue = "256",
            description = "The most values of a signature (default: ${DEFAULT-VALUE}, all that the service takes).")
    private int hashes;

    @Option(names = "--json", description = "Print the figures as a JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        if (hashes < 1 || hashes > HASHES_MAX) {
            throw wrong("--hashes: expected 1 to " + HASHES_MAX + ", found " + hashes);
        }
        BandingTargets targets = targets();
        Optional<Banding> within = targets.cheapestWithin(hashes);
        PrintWriter output = spec.commandLine().getOut();
        if (json) {
            output.println(json(targets, within.orElse(null)));
        } else {
            within.ifPresentOrElse(
                    banding -> output.println(describe(banding, targets)), () -> printMiss(targets, output));
        }
        output.flush();
        return within.isPresent() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private BandingTargets targets() {
        double[] finding = pair("--find", find);
        double[] rejecting = pair("--reject", reject);
        try {
            return new BandingTargets(finding[0], finding[1], rejecting[0], rejecting[1]);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private double[] pair(String option, String text) {
        String[] parts = text.split(":", -1);
        try {
            if (parts.length == 2) {
                return new double[] {Double.parseDouble(parts[0]), Double.parseDouble(parts[1])};
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw wrong(option + ": expected SIMILARITY:PROBABILITY such as 0.5:0.99, found " + text);
    }

    private ParameterException wrong(@Nullable String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private void printMiss(BandingTargets targets, PrintWriter output) {
        output.println("No bands x rows within " + hashes + " hashes does both.");
        output.println(targets.cheapest()
                .map(banding -> "The cheapest that does: " + describe(banding, targets))
                .orElse("None within " + HASHES_MAX + " hashes does either."));
        output.println("The nearest within " + hashes + ": " + describe(targets.bestWithin(hashes), targets));
    }

    private static String describe(Banding banding, BandingTargets targets) {
        return String.format(
                Locale.ROOT,
                "%d bands x %d rows, %d hashes: meets at %s with %.6g, at %s with %.6g",
                banding.bands(),
                banding.rows(),
                banding.hashes(),
                targets.findSimilarity(),
                banding.curve().probability(targets.findSimilarity()),
                targets.rejectSimilarity(),
                banding.curve().probability(targets.rejectSimilarity()));
    }

    private ObjectNode json(BandingTargets targets, @Nullable Banding within) {
        ObjectNode report = JSON.createObjectNode().put("hashes", hashes).put("met", within != null);
        report.set("cheapest", json(targets.cheapest().orElse(null), targets));
        report.set("within", json(within, targets));
        report.set("nearest", json(targets.bestWithin(hashes), targets));
        return report;
    }

    private static @Nullable ObjectNode json(@Nullable Banding banding, BandingTargets targets) {
        if (banding == null) {
            return null;
        }
        return JSON.createObjectNode()
                .put("bands", banding.bands())
                .put("rows", banding.rows())
                .put("hashes", banding.hashes())
                .put("find", banding.curve().probability(targets.findSimilarity()))
                .put("reject", banding.curve().probability(targets.rejectSimilarity()));
    }
}
