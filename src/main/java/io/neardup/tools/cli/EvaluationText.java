package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.tools.analysis.Bin;
import io.neardup.tools.analysis.DocumentSample;
import io.neardup.tools.analysis.Evaluation;
import io.neardup.tools.analysis.LabelReport;
import io.neardup.tools.analysis.Score;
import io.neardup.tools.analysis.Tuning;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What settings find, for people and for programs. */
final class EvaluationText {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BAR_WIDTH = 30;

    private final DocumentSample sample;
    private final NeardupConfig config;
    private final Evaluation evaluation;
    private final @Nullable Tuning tuning;

    /** @param tuning of the same documents; null where it is not known */
    EvaluationText(DocumentSample sample, NeardupConfig config, Evaluation evaluation, @Nullable Tuning tuning) {
        this.sample = sample;
        this.config = config;
        this.evaluation = evaluation;
        this.tuning = tuning;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.addAll(RejectedText.lines(sample.rejected()));
        lines.add(format(
                "%,d documents%s%s",
                evaluation.documents(),
                sample.isWhole() ? "" : ", the first of the file",
                sample.isFull() ? ": more need a larger heap (java -Xmx4g -jar ...)" : ""));
        lines.add(format(
                "%s, threshold %s, %d bands x %d rows, neardup.similarity.verify=%s",
                config.shingling().spec(),
                config.threshold(),
                config.banding().bands(),
                config.banding().rows(),
                verification()));
        lines.add("");
        lines.add(format(
                "%-12s%12s%10s%9s%10s   found ### missed ...", "similarity", "pairs", "missed", "found", "promised"));
        evaluation.bins().forEach(bin -> lines.add(line(bin)));
        lines.add("");
        addTotals(lines);
        LabelReport labels = evaluation.labels();
        if (labels != null) {
            lines.add("");
            lines.addAll(new LabelText(labels, tuning).lines());
        }
        return lines;
    }

    private String verification() {
        return config.verification().name().toLowerCase(Locale.ROOT);
    }

    private static String line(Bin bin) {
        return format(
                "%.2f-%.2f   %,12d%,10d%9s%10.4f   %s",
                bin.from(),
                bin.to(),
                bin.pairs(),
                bin.pairs() - bin.found(),
                share(bin.recall()),
                bin.promise(),
                bar(bin));
    }

    private static String bar(Bin bin) {
        if (bin.pairs() == 0) {
            return "";
        }
        // A single miss among many shows.
        int full = (int) (BAR_WIDTH * bin.recall());
        return "#".repeat(full) + ".".repeat(BAR_WIDTH - full);
    }

    private void addTotals(List<String> lines) {
        lines.add(format(
                "at or above %s %,12d pairs, %,d found: recall %s, promised %s",
                config.threshold(),
                evaluation.similar(),
                evaluation.found(),
                share(evaluation.candidateScore().recall()),
                share(evaluation.promise())));
        lines.add(format(
                "candidates      %,12d pairs, %.2f a document: precision %s before verification",
                evaluation.candidates(),
                perDocument(),
                share(evaluation.candidateScore().precision())));
        lines.add(format(
                "verified        %,12d pairs: precision %s, recall %s",
                evaluation.verified(),
                share(evaluation.verifiedScore().precision()),
                share(evaluation.verifiedScore().recall())));
        if (evaluation.bucketsFull() > 0) {
            lines.add(format(
                    "full buckets    %,12d times refused a document (neardup.bucket.max is %,d)",
                    evaluation.bucketsFull(), config.bucketMax()));
        }
    }

    private double perDocument() {
        return evaluation.candidates() / (double) evaluation.documents();
    }

    static String share(double value) {
        return Double.isNaN(value) ? "-" : format("%.4f", value);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    String json() {
        ObjectNode report = JSON.createObjectNode()
                .put("documents", evaluation.documents())
                .put("lines", sample.lines())
                .put("whole", sample.isWhole());
        report.set("rejected", RejectedText.json(sample.rejected()));
        putSettings(report);
        ArrayNode bins = report.putArray("bins");
        evaluation.bins().forEach(bin -> put(bins.addObject(), bin));
        putTotals(report);
        LabelReport labels = evaluation.labels();
        if (labels != null) {
            new LabelText(labels, tuning).putInto(report.putObject("labels"));
        }
        return report.toString();
    }

    private void putSettings(ObjectNode into) {
        into.put("shingle", config.shingling().spec())
                .put("threshold", config.threshold())
                .put("bands", config.banding().bands())
                .put("rows", config.banding().rows())
                .put("verify", verification())
                .put("floor", evaluation.floor());
    }

    private void putTotals(ObjectNode into) {
        into.put("pairs", evaluation.similar())
                .put("found", evaluation.found())
                .put("recall", known(evaluation.candidateScore().recall()))
                .put("promise", known(evaluation.promise()))
                .put("candidates", evaluation.candidates())
                .put("candidatesPerDocument", perDocument())
                .put("candidatePrecision", known(evaluation.candidateScore().precision()))
                .put("bucketsFull", evaluation.bucketsFull());
        put(into.putObject("verified"), evaluation.verifiedScore());
    }

    private static void put(ObjectNode into, Bin bin) {
        into.put("from", bin.from())
                .put("to", bin.to())
                .put("pairs", bin.pairs())
                .put("found", bin.found())
                .put("recall", known(bin.recall()))
                .put("promise", bin.promise());
    }

    static void put(ObjectNode into, Score score) {
        into.put("pairs", score.told())
                .put("right", score.right())
                .put("precision", known(score.precision()))
                .put("recall", known(score.recall()))
                .put("f1", known(score.f1()));
    }

    /** JSON has no NaN. */
    private static @Nullable Double known(double value) {
        return Double.isNaN(value) ? null : value;
    }
}
