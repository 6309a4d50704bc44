package io.neardup.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.lsh.BandingTargets;
import io.neardup.sketch.DocumentFrequencies;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Settings from documents of one's own, or bands and rows from what they are to find and to leave alone. */
@Command(
        name = "tune",
        description = {
            "Measures how similar unrelated documents of a file are, by several shingles, and proposes shingle,"
                    + " threshold, bands and rows.",
            "Or, without a file: finds the bands x rows of the fewest hashes that find pairs of one similarity and leave"
                    + " those of another alone."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        footer = {
            "",
            "Examples: what suits an index of 5 million documents like these",
            "  java -jar neardup.jar tune news.jsonl.gz --index-size 5m --write my.properties",
            "Find 99 %% of pairs at 0.5, and not more than 0.1 %% of those at 0.05",
            "  java -jar neardup.jar tune --find 0.5:0.99 --reject 0.05:0.001 --hashes 128",
            "",
            "In how many documents each word is, for weights by rarity",
            "  java -jar neardup.jar tune news.jsonl.gz --frequencies terms.tsv \\",
            "      --set neardup.shingle=word:1",
            "",
            "Exit code 1 if no bands x rows within the hashes does; the cheapest that",
            "would and the nearest within the hashes are printed then."
        })
final class TuneCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "JSON lines, plain or gzip; - is the standard input. A sample of the documents is measured.")
    private @Nullable String file;

    @Option(
            names = "--documents",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Documents in the sample at the most (default: ${DEFAULT-VALUE}).")
    private int documents;

    @Option(
            names = "--threshold",
            paramLabel = "S",
            description =
                    "As the setting neardup.similarity.threshold, over it: what is a duplicate, in the shingle of the"
                            + " settings. Other shingles take what stands for the same editing.")
    private @Nullable String threshold;

    @Option(names = "--recall", paramLabel = "P", description = "As the setting neardup.recall, over it.")
    private @Nullable String recall;

    @Option(
            names = "--index-size",
            paramLabel = "N",
            description = "As the setting neardup.index.size, over it; 100k and 5m are understood.")
    private @Nullable String indexSize;

    @Option(names = "--png", paramLabel = "FILE", description = "Draw the similarities of unrelated documents there.")
    private @Nullable Path png;

    @Option(names = "--write", paramLabel = "FILE", description = "Write the proposed settings there.")
    private @Nullable Path write;

    @Option(
            names = "--frequencies",
            paramLabel = "OUT",
            description =
                    "Measure nothing; write there in how many documents of the whole FILE each term is, for weights by"
                            + " rarity. Needs neardup.shingle=word:k.")
    private @Nullable Path frequencies;

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
            description = "The most values of a signature (default: ${DEFAULT-VALUE}, all that the service takes).")
    private int hashes;

    @Option(names = "--json", description = "Print the figures as a JSON object.")
    private boolean json;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Override
    public Integer call() throws IOException {
        String sampled = file;
        String finding = find;
        String rejecting = reject;
        if (sampled != null && finding == null && rejecting == null) {
            return frequencies == null ? tune(sampled) : count(sampled, frequencies);
        }
        if (sampled == null && frequencies == null && finding != null && rejecting != null) {
            return meet(targets(finding, rejecting));
        }
        throw wrong("expected a FILE to measure, or both --find and --reject, found " + found(sampled));
    }

    private String found(@Nullable String sampled) {
        if (sampled != null) {
            return "targets beside " + sampled;
        }
        if (frequencies != null) {
            return "--frequencies without FILE";
        }
        return find != null ? "--find alone" : reject != null ? "--reject alone" : "neither";
    }

    private int tune(String sampled) throws IOException {
        check("--hashes", hashes, TuneRun.HASHES_MAX);
        check("--documents", documents, TuneRun.DOCUMENTS_MAX);
        TuneRun run = run(sampled);
        if (png != null) {
            PictureFile.checked("--png", png);
        }
        if (write != null) {
            PictureFile.checked("--write", write);
        }
        ProgressLines progress =
                new ProgressLines(spec.commandLine().getErr(), Terminal.isStandardError(), System::nanoTime);
        TuningReport report;
        try {
            report = run.report(System.in, progress);
        } finally {
            progress.end();
        }
        if (png != null) {
            TuningChart.write(png, report.tuning());
        }
        if (write != null) {
            report.settings().write(write);
        }
        print(report);
        return ExitCode.OK;
    }

    private TuneRun run(String sampled) {
        try {
            return new TuneRun(sampled, documents, hashes, settings());
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private int count(String counted, Path out) throws IOException {
        if (png != null || write != null) {
            throw wrong("--frequencies: expected neither --png nor --write beside it, as nothing is measured");
        }
        FrequenciesRun run;
        try {
            run = new FrequenciesRun(counted, NeardupConfig.of(settings()));
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        PictureFile.checked("--frequencies", out);
        ProgressLines progress =
                new ProgressLines(spec.commandLine().getErr(), Terminal.isStandardError(), System::nanoTime);
        FrequenciesRun.Counted frequenciesCounted;
        try {
            frequenciesCounted = run.count(System.in, progress);
        } finally {
            progress.end();
        }
        FrequenciesRun.write(frequenciesCounted.frequencies(), out);
        print(frequenciesCounted, out);
        return ExitCode.OK;
    }

    private void print(FrequenciesRun.Counted counted, Path out) {
        PrintWriter output = spec.commandLine().getOut();
        DocumentFrequencies counts = counted.frequencies();
        if (json) {
            output.println(JSON.createObjectNode()
                    .put("documents", counts.documents())
                    .put("terms", counts.terms())
                    .put("errorMax", counted.errorMax()));
        } else {
            RejectedText.lines(counted.rejected()).forEach(output::println);
            output.printf(
                    Locale.ROOT,
                    "%,d terms of %,d documents are in %s, counts at most %d too low.%n",
                    counts.terms(),
                    counts.documents(),
                    out,
                    counted.errorMax());
        }
        output.flush();
    }

    private void print(TuningReport report) {
        PrintWriter output = spec.commandLine().getOut();
        if (json) {
            output.println(report.json());
        } else {
            report.print(output);
        }
        output.flush();
    }

    private Settings settings() {
        Settings settings = options.settings();
        if (threshold != null) {
            settings.set("neardup.similarity.threshold", threshold, "--threshold");
        }
        if (recall != null) {
            settings.set("neardup.recall", recall, "--recall");
        }
        if (indexSize != null) {
            settings.set("neardup.index.size", IndexSizes.digits(indexSize), "--index-size");
        }
        return settings;
    }

    private int meet(BandingTargets targets) {
        check("--hashes", hashes, BandingTargets.HASHES_MAX);
        TargetsReport report = new TargetsReport(targets, hashes);
        PrintWriter output = spec.commandLine().getOut();
        if (json) {
            ObjectNode figures = report.json();
            output.println(figures);
        } else {
            report.print(output);
        }
        output.flush();
        return report.isMet() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private BandingTargets targets(String finding, String rejecting) {
        double[] found = pair("--find", finding);
        double[] rejected = pair("--reject", rejecting);
        try {
            return new BandingTargets(found[0], found[1], rejected[0], rejected[1]);
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

    private void check(String option, int number, int max) {
        if (number < 1 || number > max) {
            throw wrong(option + ": expected 1 to " + max + ", found " + number);
        }
    }

    private ParameterException wrong(@Nullable String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
