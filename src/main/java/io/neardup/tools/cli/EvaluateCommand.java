package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.tools.analysis.DocumentLines;
import io.neardup.tools.analysis.DocumentSample;
import io.neardup.tools.analysis.Evaluation;
import io.neardup.tools.analysis.Evaluator;
import io.neardup.tools.analysis.Labels;
import io.neardup.tools.analysis.TextFile;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the settings find in a file of documents, and what there is to find. */
@Command(
        name = "evaluate",
        description = {"Compares what the settings find with all similar pairs.", "It looks at the documents of a file."
        },
        footer = {
            "",
            "Examples:",
            "  java -jar neardup.jar evaluate news.jsonl.gz",
            "  java -jar neardup.jar evaluate news.jsonl.gz --labels duplicates.tsv \\",
            "      --set neardup.shingle=char:5 --set neardup.similarity.threshold=0.8",
            "",
            "What people say of pairs, in a file for --labels; with same or other in a third",
            "column only the pairs that are named count:",
            "  7\t12\tsame",
            "  7\t19\tother",
            "",
            "It counts pairs of documents, with every document kept. The service compares a",
            "document with those before it that are unique, so it meets fewer. Pairs of one",
            "family of texts are found or missed together, so a bin of few families can be",
            "far from what is promised; --set neardup.hash.seed=N shows another draw. 20,000",
            "documents of 2 KB take half a minute and 1 GB of heap."
        })
final class EvaluateCommand extends ReportingCommand {
    private static final int DOCUMENTS_MAX = 10_000_000;
    private static final double DEFAULT_FLOOR = 0.3;
    /** Of texts of 2 KB some 20 bytes of heap are taken for each of their own. */
    private static final int HEAP_PER_BYTE = 24;

    @Parameters(index = "0", paramLabel = "FILE", description = FeedCommand.FILES)
    private String file = "";

    @Option(
            names = "--labels",
            paramLabel = "PAIRS",
            description = "What people say of pairs: a line a pair, two ids with a tab or a comma between. These are"
                    + " duplicates, and all other pairs none. A third column says same, other, unclear or ?"
                    + " (not answered); then only the pairs that are named count.")
    private @Nullable Path labels;

    @Option(
            names = "--documents",
            paramLabel = "N",
            defaultValue = "20000",
            description = "Take the first N documents (default: ${DEFAULT-VALUE}, of which all pairs are compared; of"
                    + " more without labels figures are estimated, with an interval).")
    private int documents;

    @Option(
            names = "--floor",
            paramLabel = "S",
            description = "Look for pairs from this similarity on (default: 0.3, or the threshold if that is lower).")
    private @Nullable Double floor;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Override
    public Integer call() throws IOException {
        NeardupConfig config =
                valid(() -> ToolCommand.comparingShingles("evaluate", NeardupConfig.of(options.settings())));
        double from = floor == null ? Math.min(DEFAULT_FLOOR, config.threshold()) : floor;
        check("--documents", documents, 2, DOCUMENTS_MAX);
        check(
                from > 0 && from <= config.threshold(),
                "--floor",
                "above 0, at most the threshold " + config.threshold(),
                from);
        if (labels != null) {
            // Before a minute is spent on the documents.
            String unused = TextFile.read(labels);
        }
        try (ProgressLines progress = progress()) {
            DocumentSample sample = sample(config, progress);
            Labels said = labels == null ? null : Labels.read(labels, sample.documents());
            Evaluation evaluation = new Evaluator(sample.documents(), config, from, said, progress).evaluate();
            progress.end();
            print(new EvaluationReport(sample, config, evaluation));
        } catch (OutOfMemoryError e) {
            throw Failures.heapTooSmall(documents + " documents at most", e);
        }
        return ExitCode.OK;
    }

    private DocumentSample sample(NeardupConfig config, ProgressLines progress) throws IOException {
        try (DocumentLines lines = new DocumentLines(file, System.in, config)) {
            DocumentSample sample =
                    DocumentSample.first(documents, Runtime.getRuntime().maxMemory() / HEAP_PER_BYTE, lines, progress);
            if (sample.documents().size() < 2) {
                throw new IOException(file + ": expected at least 2 documents, found "
                        + sample.documents().size() + " in " + sample.lines() + " lines"
                        + SkippedText.noDocuments(sample.rejected()));
            }
            return sample;
        }
    }
}
