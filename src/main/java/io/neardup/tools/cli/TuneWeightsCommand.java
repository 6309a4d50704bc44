package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "weights",
        description = {
            "Writes how many documents hold each term.",
            "By these, simhash gives rare terms more weight: see neardup.simhash.frequencies."
        },
        footer = {
            "Example:",
            "  java -jar neardup.jar tune weights news.jsonl.gz --write terms.tsv \\",
            "      --set neardup.shingle=word:1",
            "",
            "It reads the whole file. The terms are the shingles: it needs",
            "neardup.shingle=word:k."
        })
final class TuneWeightsCommand extends SettingsCommand {
    private static final int TERMS_MAX = 1_000_000;
    private static final int PROGRESS_DOCUMENTS = 1_000;

    @Parameters(paramLabel = "FILE", description = FeedCommand.FILES)
    private String file = "";

    @Option(names = "--write", paramLabel = "OUT", required = true, description = "Write the terms there.")
    private Path out = Path.of(".");

    @Override
    public Integer call() throws IOException {
        requireNothingBefore();
        NeardupConfig config = NeardupConfig.of(options.settings());
        ShingleSpec spec = ShingleSpec.of(config.shingling().spec());
        if (spec.kind() != ShingleSpec.Kind.WORD || spec.min() != spec.max()) {
            throw wrong("expected neardup.shingle=word:k, whose terms are counted, found "
                    + config.shingling().spec());
        }
        OutputFile.checked("--write", out, file);
        DocumentFrequencies frequencies;
        List<Rejected> rejected;
        int errorMax;
        try (ProgressLines progress = progress();
                DocumentLines lines = new DocumentLines(List.of(file), System.in, config)) {
            TermCounts counts = count(lines, spec.min(), config.shingling().letterCase(), progress);
            rejected = lines.rejected();
            if (counts.documents() == 0) {
                throw new IOException(file + ": expected documents, found none" + SkippedText.noDocuments(rejected));
            }
            TermCounts.Finished counted = counts.finish();
            frequencies = DocumentFrequencies.of(counts.documents(), counted.frequencies());
            errorMax = counted.errorMax();
        }
        OutputFile.replaceText(out, frequencies::write);
        ObjectNode report = Json.object()
                .put("documents", frequencies.documents())
                .put("terms", frequencies.terms())
                // By so much counts are too low at the most, as rare terms were dropped for want of room.
                .put("errorMax", errorMax)
                .putPOJO("rejected", rejected);
        print(() -> new TextTable().fields(report), () -> report);
        return ExitCode.OK;
    }

    private static TermCounts count(DocumentLines lines, int tokens, LetterCase letterCase, ProgressLines progress)
            throws IOException {
        TermCounts counts = new TermCounts(TERMS_MAX);
        for (Document document = lines.next(); document != null; document = lines.next()) {
            counts.add(Terms.ofLength(NormalizedText.of(document.text().decode(), letterCase), tokens));
            progress.count(counts.documents(), PROGRESS_DOCUMENTS, "%,d documents read");
        }
        progress.skippedTotals(lines.skippedTotals());
        return counts;
    }
}
