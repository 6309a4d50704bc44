package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.format;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.record.Printable;
import io.neardup.tools.analysis.DocumentSample;
import io.neardup.tools.analysis.Evaluation;
import io.neardup.tools.analysis.Evaluation.Bin;
import io.neardup.tools.analysis.Evaluation.Estimate;
import io.neardup.tools.analysis.Evaluation.LabelReport;
import io.neardup.tools.analysis.Evaluation.Score;
import io.neardup.tools.analysis.Labels;
import io.neardup.tools.analysis.ShingleScores;
import io.neardup.tools.analysis.ShingleScores.AtThreshold;
import io.neardup.tools.cli.TextTable.Figure;
import java.util.Locale;
import java.util.stream.Collectors;

/** What settings find, beside what people say of pairs where that is known. */
record EvaluationReport(DocumentSample sample, NeardupConfig config, Evaluation evaluation)
        implements ReportingCommand.Report {
    private static final int BAR_WIDTH = 30;
    private static final int ID_MAX = 60;

    @Override
    public TextTable text() {
        TextTable report = new TextTable();
        report.asIs(SkippedText.lines(sample.rejected()));
        report.text(format(
                "%,d documents%s%s",
                evaluation.documents(),
                sample.isWhole() ? "" : ", the first of the file",
                sample.isFull() ? ": more need a larger heap (java -Xmx4g -jar ...)" : ""));
        report.text(format(
                "%s, threshold %s, %d bands x %d rows, neardup.similarity.verify=%s",
                config.shingling().spec(),
                config.threshold(),
                config.banding().bands(),
                config.banding().rows(),
                verification()));
        report.blank().row("similarity", "pairs", "missed", "found", "promised", "found ### missed ...");
        evaluation.bins().forEach(bin -> addBin(bin, report));
        report.blank();
        addTotals(report);
        if (evaluation.labels() != null) {
            report.blank();
            addLabels(evaluation.labels(), report);
        }
        return report;
    }

    private String verification() {
        return config.verification().name().toLowerCase(Locale.ROOT);
    }

    private static void addBin(Bin bin, TextTable report) {
        // A single miss among many shows.
        int full = bin.pairs() == 0 ? 0 : (int) (BAR_WIDTH * bin.recall());
        report.row(
                format("%.2f-%.2f", bin.from(), bin.to()),
                bin.pairs(),
                bin.pairs() - bin.found(),
                new Figure(share(bin.recall())),
                new Figure(share(bin.promise())),
                bin.pairs() == 0 ? "" : "#".repeat(full) + ".".repeat(BAR_WIDTH - full));
    }

    private void addTotals(TextTable report) {
        report.row(
                "at or above " + config.threshold(),
                evaluation.similar(),
                format(
                        "pairs, %,d found: recall %s, promised %s",
                        evaluation.found(), share(evaluation.recall()), share(evaluation.promise())));
        Estimate estimate = evaluation.estimate();
        if (estimate != null) {
            report.row(
                    "estimated from",
                    estimate.pairs(),
                    format(
                            "pairs: with a chance of 95 %% there are %,d to %,d, and recall is %s to %s",
                            estimate.similarLow(),
                            estimate.similarHigh(),
                            share(estimate.recallLow()),
                            share(estimate.recallHigh())));
        }
        report.row(
                "candidates",
                evaluation.candidates(),
                format(
                        "pairs, %.2f a document: precision %s before verification",
                        evaluation.candidatesPerDocument(), share(evaluation.candidatePrecision())));
        Score verified = evaluation.verifiedScore();
        report.row(
                "verified",
                verified.told(),
                format("pairs: precision %s, recall %s", share(verified.precision()), share(verified.recall())));
        if (evaluation.bucketsFull() > 0) {
            report.row(
                    "full buckets",
                    evaluation.bucketsFull(),
                    format("times refused a document (neardup.bucket.max is %,d)", config.bucketMax()));
        }
    }

    private static String share(double value) {
        return Double.isNaN(value) ? "-" : format("%.4f", value);
    }

    private static void addLabels(LabelReport found, TextTable report) {
        Labels labels = found.labels();
        report.text(
                labels.isPartial()
                        ? format(
                                "%,d pairs are called duplicates, %,d other documents. Precision and recall are of"
                                        + " these pairs alone: nobody judged the rest.",
                                labels.pairs(), labels.others())
                        : format("%,d pairs are called duplicates; all others count as none.", labels.pairs()));
        addUnknown(labels, report);
        ShingleScores settings = found.settings();
        if (settings.belowFloor() > 0) {
            report.text(format(
                    "%,d duplicates are below the floor %s: missed by every threshold.",
                    settings.belowFloor(), settings.floor()));
        }
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
                TextTable.figure("%.3f", at.threshold()),
                score.told(),
                new Figure(share(score.precision())),
                new Figure(share(score.recall())),
                new Figure(share(score.f1())));
    }

    /** Lines of the file of labels or answers that do not count. */
    static void addUnknown(Labels labels, TextTable report) {
        if (labels.unknown() > 0) {
            report.text(format("%,d lines name no two documents that are there:", labels.unknown()))
                    .text(labels.unknownIds().stream()
                            .map(id -> Printable.of(id.substring(0, Math.min(id.length(), ID_MAX))))
                            .collect(Collectors.joining(", ", "  ", "")));
        }
    }

    @Override
    public ObjectNode json() {
        ObjectNode report = Json.of(evaluation)
                .put("lines", sample.lines())
                .put("whole", sample.isWhole())
                .put("shingle", config.shingling().spec())
                .put("threshold", config.threshold())
                .put("bands", config.banding().bands())
                .put("rows", config.banding().rows())
                .put("verify", verification());
        report.set("rejected", Json.array(sample.rejected()));
        LabelReport found = evaluation.labels();
        if (found != null) {
            ObjectNode labels = Json.of(found.labels())
                    .put("belowFloor", found.settings().belowFloor())
                    .put("bestShingle", found.best().shingle());
            labels.set("similar", Json.of(found.settings().settings().score()));
            labels.set("verified", Json.of(found.verified()));
            labels.set("best", Json.of(found.settings().best()));
            labels.set("shingles", Json.array(found.all()));
            labels.set("shinglesLeftOut", Json.array(found.leftOut()));
            report.set("labels", labels);
        }
        return report;
    }
}
