package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.format;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.engine.text.Shingling;
import io.neardup.tools.analysis.BoilerplateCount;
import io.neardup.tools.analysis.BoilerplateSample;
import io.neardup.tools.analysis.DocumentLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes what many unlike documents of a file hold. */
@Command(
        name = "boilerplate",
        description = {
            "Writes what many unlike documents hold, not to count.",
            "These are the shingles of menus and templates, for the setting neardup.boilerplate."
        },
        footer = {
            "",
            "Example:",
            "  java -jar neardup.jar tune boilerplate news.jsonl.gz \\",
            "      --write boilerplate.tsv --by /host",
            "",
            "It reads the whole file. Give the settings of the service, as the shingles are",
            "those of neardup.shingle."
        })
final class TuneBoilerplateCommand extends ReportingCommand {
    /** One in two hundred clusters. */
    private static final double SHARE_MIN = 0.005;

    /** Every other one. */
    private static final double SHARE_MAX = 0.5;

    @Parameters(paramLabel = "FILE", description = FeedCommand.FILES)
    private String file = "";

    @Option(names = "--write", paramLabel = "OUT", required = true, description = "Write the shingles there.")
    private Path out = Path.of(".");

    @Option(
            names = "--share",
            paramLabel = "S",
            defaultValue = "0.05",
            description = "Shingles in more than this share of the clusters of similar documents (default:"
                    + " ${DEFAULT-VALUE}; 0.005 to 0.5), and in 20 of them or more.")
    private double share;

    @Option(
            names = "--by",
            paramLabel = "POINTER",
            description = "Count within each source by itself, too, such as /host (default: the pointer of the setting"
                    + " neardup.scope, if there is one).")
    private @Nullable String by;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Override
    public Integer call() throws IOException {
        check(share >= SHARE_MIN && share <= SHARE_MAX, "--share", SHARE_MIN + " to " + SHARE_MAX, share);
        NeardupConfig config = valid(this::config);
        OutputFile.checked("--write", out, file);
        Report report;
        try (ProgressLines progress = progress();
                DocumentLines lines = new DocumentLines(file, System.in, config)) {
            BoilerplateSample sample = BoilerplateSample.of(lines, config, share, progress);
            if (sample.count().documents() == 0) {
                throw new IOException(
                        file + ": expected documents, found none" + SkippedText.noDocuments(sample.rejected()));
            }
            report = new Report(out, sample, config.shingling(), share, config.scope(), by == null);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw Failures.heapTooSmall("The documents of " + file, e);
        }
        BoilerplateShingles common = report.sample.count().boilerplate().orElse(null);
        if (common != null) {
            OutputFile.replaceText(out, common::write);
        }
        print(report);
        return ExitCode.OK;
    }

    private NeardupConfig config() {
        Settings settings = options.settings();
        if (by != null) {
            if (!by.startsWith("/")) {
                throw new IllegalArgumentException(
                        "--by: expected a JSON pointer (RFC 6901) such as /host, found " + by);
            }
            settings.set("neardup.scope", by, "--by");
        }
        NeardupConfig config = NeardupConfig.of(settings);
        if (!config.signature().comparesShingles()) {
            throw new IllegalArgumentException("expected neardup.signature=minhash or simhash, which"
                    + " compare shingles, found " + config.signature());
        }
        return config;
    }

    /**
     * Which shingles are common in a file.
     *
     * @param out where they are written; nothing is written where none are
     * @param by pointer to the source of a document, if sources were told apart
     * @param isByScope whether the pointer is that of the scope, and not one that was given for this
     */
    private record Report(
            Path out,
            BoilerplateSample sample,
            Shingling shingling,
            double share,
            Optional<String> by,
            boolean isByScope)
            implements ReportingCommand.Report {

        @Override
        public TextTable text() {
            TextTable report = new TextTable();
            report.asIs(SkippedText.lines(sample.rejected()));
            addSample(report);
            BoilerplateCount count = sample.count();
            BoilerplateShingles common = count.boilerplate().orElse(null);
            if (!count.isEnough() && count.sources() == 0) {
                report.text(format(
                        "%,d documents make %,d clusters of similar ones: fewer than %d do not tell what is common."
                                + " No file is written.",
                        count.documents(), count.clusters(), BoilerplateCount.CLUSTERS_MIN));
            } else if (common == null) {
                report.text(format(
                        "No shingle of %s is in more than %s %% of the %,d clusters of %,d documents, and in no"
                                + " fewer than %d. There is nothing to leave out: no file is written.",
                        shingling.spec(),
                        percent(share),
                        count.clusters(),
                        count.documents(),
                        BoilerplateCount.CLUSTERS_MIN));
            } else {
                report.text(format(
                        "%,d shingles of %s are in more than %s %% of the %,d clusters of %,d documents%s: they are in"
                                + " %s. They are %s %% of all shingles of the documents.",
                        common.size(),
                        shingling.spec(),
                        percent(share),
                        count.clusters(),
                        count.documents(),
                        count.sources() > 0 ? ", or of a source" : "",
                        out,
                        percent(count.leftOut())));
                report.text("Leave them out with neardup.boilerplate=" + out + "; an index is bound to that file.");
            }
            return report;
        }

        private void addSample(TextTable report) {
            int counted = sample.count().documents();
            if (counted < sample.documents()) {
                report.text(format(
                        "Counted in %,d of %,d documents, drawn at random: as many as time and memory allow.",
                        counted, sample.documents()));
            }
            if (isByScope) {
                by.ifPresent(pointer -> report.text("Counted within each source too, as neardup.scope=" + pointer
                        + " tells sources apart; --by names another pointer."));
            }
            if (sample.sources() == 0) {
                by.ifPresent(pointer -> report.text(format(
                        "No document has anything at %s, so none is counted within its source: check the pointer"
                                + " in %s.",
                        pointer, isByScope ? "neardup.scope" : "--by")));
            } else {
                report.text(format(
                        "%,d sources; %,d of them have clusters enough to be counted by themselves.",
                        sample.sources(), sample.count().sources()));
            }
            if (sample.notDrawn() > 0) {
                report.text(
                        format("%,d documents are of further sources, which count only among all.", sample.notDrawn()));
            }
        }

        @Override
        public ObjectNode json() {
            ObjectNode report = Json.of(sample)
                    .put("shingle", shingling.spec())
                    .put("share", share)
                    .put(
                            "boilerplate",
                            sample.count()
                                    .boilerplate()
                                    .map(BoilerplateShingles::size)
                                    .orElse(0));
            by.ifPresent(pointer -> report.put("by", pointer));
            return report;
        }

        private static String percent(double share) {
            return format("%.3g", 100 * share).replaceAll("\\.0*$|(\\.[0-9]*?)0+$", "$1");
        }
    }
}
