package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.format;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.neardup.config.NeardupConfig;
import io.neardup.engine.similarity.DocumentFrequencies;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.ShingleSpec;
import io.neardup.engine.text.Terms;
import io.neardup.record.Document;
import io.neardup.tools.analysis.DocumentLines;
import io.neardup.tools.analysis.DocumentLines.Rejected;
import io.neardup.tools.analysis.TermCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes in how many documents of a file each term is. */
@Command(
        name = "weights",
        description = {
            "Writes in how many documents each term is.",
            "By these, simhash gives rare terms more weight: see neardup.simhash.frequencies."
        },
        footer = {
            "",
            "Example:",
            "  java -jar neardup.jar tune weights news.jsonl.gz --write terms.tsv \\",
            "      --set neardup.shingle=word:1",
            "",
            "It reads the whole file. The terms are the shingles: it needs",
            "neardup.shingle=word:k."
        })
final class TuneWeightsCommand extends ReportingCommand {
    private static final int TERMS_MAX = 1_000_000;
    private static final int PROGRESS_DOCUMENTS = 1_000;

    @Parameters(paramLabel = "FILE", description = FeedCommand.FILES)
    private String file = "";

    @Option(names = "--write", paramLabel = "OUT", required = true, description = "Write the terms there.")
    private Path out = Path.of(".");

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Override
    public Integer call() throws IOException {
        NeardupConfig config = valid(() -> NeardupConfig.of(options.settings()));
        ShingleSpec spec = ShingleSpec.of(config.shingling().spec());
        if (spec.kind() != ShingleSpec.Kind.WORD || spec.min() != spec.max()) {
            throw wrong("expected neardup.shingle=word:k, whose terms are counted, found "
                    + config.shingling().spec());
        }
        OutputFile.checked("--write", out, file);
        Report report;
        try (ProgressLines progress = progress()) {
            report = count(config, spec.min(), progress);
        }
        OutputFile.replaceText(out, report.frequencies::write);
        print(report);
        return ExitCode.OK;
    }

    private Report count(NeardupConfig config, int tokens, ProgressLines progress) throws IOException {
        TermCounts counts = new TermCounts(TERMS_MAX);
        LetterCase letterCase = config.shingling().letterCase();
        try (DocumentLines lines = new DocumentLines(file, System.in, config)) {
            for (Document document = lines.next(); document != null; document = lines.next()) {
                counts.add(Terms.of(NormalizedText.of(document.text().decode(), letterCase), tokens));
                progress.count(counts.documents(), PROGRESS_DOCUMENTS, "%,d documents read");
            }
            progress.skippedTotals(lines.skippedTotals());
            if (counts.documents() == 0) {
                throw new IOException(
                        file + ": expected documents, found none" + SkippedText.noDocuments(lines.rejected()));
            }
            TermCounts.Finished counted = counts.finish();
            return new Report(
                    out,
                    DocumentFrequencies.of(counted.documents(), counted.frequencies()),
                    counted.errorMax(),
                    lines.rejected());
        }
    }

    /** @param errorMax by how much a frequency may be too low, as rare terms were dropped for want of room */
    private record Report(
            @JsonIgnore Path out, @JsonIgnore DocumentFrequencies frequencies, int errorMax, List<Rejected> rejected)
            implements ReportingCommand.Report {
        @JsonProperty
        int documents() {
            return frequencies.documents();
        }

        @JsonProperty
        int terms() {
            return frequencies.terms();
        }

        @Override
        public TextTable text() {
            return new TextTable()
                    .asIs(SkippedText.lines(rejected))
                    .asIs(List.of(format(
                            "%,d terms of %,d documents are in %s%s.",
                            terms(),
                            documents(),
                            out,
                            errorMax > 0 ? ", counts at most " + errorMax + " too low" : "")));
        }
    }
}
