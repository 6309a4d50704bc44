package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.tools.analysis.BoilerplateSample;
import io.neardup.tools.analysis.DocumentLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "boilerplate",
        description = {
            "Writes the shingles that many unlike documents hold.",
            "They are those of menus and templates, which the setting neardup.boilerplate leaves out."
        },
        footer = {
            "Example:",
            "  java -jar neardup.jar tune boilerplate news.jsonl.gz \\",
            "      --write boilerplate.tsv --by /host",
            "",
            "It reads the whole file. Give the settings of the service, as the shingles are",
            "those of neardup.shingle."
        })
final class TuneBoilerplateCommand extends SettingsCommand {
    private static final double SHARE_MIN = 0.005;
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

    @Override
    public Integer call() throws IOException {
        requireNothingBefore();
        check(share >= SHARE_MIN && share <= SHARE_MAX, "--share", SHARE_MIN + " to " + SHARE_MAX, share);
        NeardupConfig config = config();
        OutputFile.checked("--write", out, file);
        BoilerplateSample sample;
        try (ProgressLines progress = progress();
                DocumentLines lines = new DocumentLines(List.of(file), System.in, config)) {
            sample = BoilerplateSample.of(lines, config, share, progress);
            if (sample.count().documents() == 0) {
                throw new IOException(
                        file + ": expected documents, found none" + SkippedText.noDocuments(sample.rejected()));
            }
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw Failures.heapTooSmall("The documents of " + file, e);
        }
        BoilerplateShingles common = sample.count().boilerplate().orElse(null);
        if (common != null) {
            OutputFile.replaceText(out, common::write);
        }
        ObjectNode report = json(sample, common, config);
        print(() -> text(report, common != null), () -> report);
        return ExitCode.OK;
    }

    private NeardupConfig config() {
        Settings settings = options.settings();
        if (by != null) {
            check(by.startsWith("/"), "--by", "a JSON pointer (RFC 6901) such as /host", by);
            settings.set("neardup.scope", by, "--by");
        }
        NeardupConfig config = NeardupConfig.of(settings);
        if (!config.comparesShingles()) {
            throw wrong("expected neardup.signature=minhash or simhash, which compare shingles, found "
                    + config.signature());
        }
        return config;
    }

    private TextTable text(ObjectNode report, boolean isWritten) {
        return new TextTable()
                .fields(report)
                .text(
                        isWritten
                                ? "Leave them out with neardup.boilerplate=" + out + "; an index is bound to that file."
                                : "No shingle is in so many of the clusters. No file is written"
                                        + (Files.exists(out) ? ": " + out + " is of an earlier run." : "."));
    }

    private ObjectNode json(BoilerplateSample sample, @Nullable BoilerplateShingles common, NeardupConfig config) {
        ObjectNode report = Json.of(sample)
                .put("shingle", config.shingling().spec())
                .put("share", share)
                .put("boilerplate", common == null ? 0 : common.size());
        config.scope().ifPresent(pointer -> report.put("by", pointer));
        return report;
    }
}
