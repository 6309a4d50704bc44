package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.cut;
import static io.neardup.tools.cli.TextTable.figure;
import static io.neardup.tools.cli.TextTable.format;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.tools.analysis.DocumentLines;
import io.neardup.tools.analysis.DocumentSample;
import io.neardup.tools.analysis.Evaluation;
import io.neardup.tools.analysis.Evaluation.Bin;
import io.neardup.tools.analysis.Evaluation.LabelReport;
import io.neardup.tools.analysis.Evaluation.Score;
import io.neardup.tools.analysis.Evaluator;
import io.neardup.tools.analysis.Labels;
import io.neardup.tools.analysis.ShingleScores;
import io.neardup.tools.analysis.ShingleScores.AtThreshold;
import io.neardup.tools.analysis.TextFile;
import io.neardup.tools.cli.TextTable.Figure;
import io.neardup.tools.feed.Feed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "evaluate",
        description = {"Compares what the settings find with all similar pairs.", "It looks at the documents of a file."
        },
        footer = {
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
            "It counts pairs of documents, with every document kept. 20,000 documents of",
            "2 KB take half a minute and 1 GB of heap. Pairs of one family of texts are found",
            "or missed together; --set neardup.hash.seed=N shows another draw."
        })
final class EvaluateCommand extends SettingsCommand {
    private static final int DOCUMENTS_MAX = 10_000_000;
    /** Pairs are looked for from this similarity on, or from the threshold if that is lower. */
    private static final double FLOOR = 0.3;
    /** Of texts of 2 KB some 20 bytes of heap are taken for each of their own. */
    private static final int HEAP_PER_BYTE = 24;

    private static final int BAR_WIDTH = 30;

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

    @Override
    public Integer call() throws IOException {
        NeardupConfig config = comparingShingles("evaluate", options.settings());
        check("--documents", documents, 2, DOCUMENTS_MAX);
        if (labels != null && !Feed.isStream(labels.toString())) {
            // Before a minute is spent on the documents.
            String unused = TextFile.read(labels);
        }
        try (ProgressLines progress = progress()) {
            DocumentSample sample = sample(config, progress);
            Labels said = labels == null ? null : Labels.read(labels, sample.documents());
            double floor = Math.min(FLOOR, config.threshold());
            Evaluation evaluation = new Evaluator(sample.documents(), config, floor, said, progress).evaluate();
            progress.end();
            ObjectNode report = json(sample, config, evaluation);
            print(() -> text(report, evaluation), () -> report);
        } catch (OutOfMemoryError e) {
            throw Failures.heapTooSmall(documents + " documents at most", e);
        }
        return ExitCode.OK;
    }

    private DocumentSample sample(NeardupConfig config, ProgressLines progress) throws IOException {
        try (DocumentLines lines = new DocumentLines(List.of(file), System.in, config)) {
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

    private static TextTable text(ObjectNode report, Evaluation evaluation) {
        TextTable text = new TextTable();
        text.row("similarity", "pairs", "missed", "found", "promised", "found ### missed ...");
        evaluation.bins().forEach(bin -> addBin(bin, text));
        text.blank().fields(report.deepCopy().without(List.of("bins", "labels")));
        LabelReport found = evaluation.labels();
        if (found != null) {
            addLabels(found, text);
        }
        return text;
    }

    private static void addBin(Bin bin, TextTable report) {
        // A single miss among many shows.
        int full = bin.pairs() == 0 ? 0 : (int) (BAR_WIDTH * bin.recall());
        report.row(
                format("%.2f-%.2f", bin.from(), bin.to()),
                bin.pairs(),
                bin.pairs() - bin.found(),
                share(bin.recall()),
                share(bin.promise()),
                bin.pairs() == 0 ? "" : "#".repeat(full) + ".".repeat(BAR_WIDTH - full));
    }

    private static Figure share(double value) {
        return new Figure(cut(value, 4));
    }

    private static void addLabels(LabelReport found, TextTable report) {
        report.blank().fields(found.labels());
        if (found.labels().isPartial()) {
            report.text(
                    "Precision and recall are of the pairs that are judged alone. Those that tune --ask chose are no"
                            + " sample, and the best of few is partly chance.");
        }
        report.blank();
        ShingleScores settings = found.settings();
        report.row("", "threshold", "pairs", "precision", "recall", "F1");
        addScore("similar by the settings", settings.settings(), report);
        addScore("found and verified", new AtThreshold(settings.settings().threshold(), found.verified()), report);
        for (ShingleScores scores : found.all()) {
            addScore("best of " + scores.shingle() + (scores.equals(found.best()) ? " <" : ""), scores.best(), report);
        }
        found.leftOut().forEach(shingle -> report.row("best of " + shingle, "too many pairs are alike"));
    }

    private static void addScore(String name, AtThreshold at, TextTable report) {
        Score score = at.score();
        report.row(
                name,
                figure("%.3f", at.threshold()),
                score.predicted(),
                share(score.precision()),
                share(score.recall()),
                share(score.f1()));
    }

    private static ObjectNode json(DocumentSample sample, NeardupConfig config, Evaluation evaluation) {
        ObjectNode report = Json.of(evaluation)
                .put("lines", sample.lines())
                .put("whole", sample.isWhole())
                .put("heapFull", sample.isFull())
                .put("shingle", config.shingling().spec())
                .put("threshold", config.threshold())
                .put("bands", config.banding().bands())
                .put("rows", config.banding().rows())
                .put("verify", config.verification().name().toLowerCase(Locale.ROOT))
                .putPOJO("rejected", sample.rejected());
        LabelReport found = evaluation.labels();
        return found == null
                ? report
                : report.putPOJO(
                        "labels",
                        Json.of(found.labels())
                                .put("belowFloor", found.settings().belowFloor())
                                .put("bestShingle", found.best().shingle())
                                .putPOJO("similar", found.settings().settings().score())
                                .putPOJO("verified", found.verified())
                                .putPOJO("best", found.settings().best())
                                .putPOJO("shingles", found.all())
                                .putPOJO("shinglesLeftOut", found.leftOut()));
    }
}
