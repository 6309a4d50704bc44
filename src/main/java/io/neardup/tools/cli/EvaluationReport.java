package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.format;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.record.Printable;
import io.neardup.tools.analysis.DocumentSample;
import io.neardup.tools.analysis.Evaluation;
import io.neardup.tools.analysis.Evaluation.Bin;
import io.neardup.tools.analysis.Evaluation.Estimate;
import io.neardup.tools.analysis.Evaluation.LabelReport;
import io.neardup.tools.analysis.Labels;
import io.neardup.tools.analysis.MeasuredShingle;
import io.neardup.tools.analysis.Score;
import io.neardup.tools.analysis.ShingleFit;
import io.neardup.tools.analysis.ShingleScores;
import io.neardup.tools.analysis.ShingleScores.AtThreshold;
import io.neardup.tools.analysis.Tuning;
import io.neardup.tools.analysis.Tuning.Finding;
import io.neardup.tools.cli.TextTable.Figure;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What settings find, beside what people say of pairs where that is known.
 *
 * @param tuning of the same documents, without labels; null where it is not known
 */
record EvaluationReport(
        DocumentSample sample,
        NeardupConfig config,
        Evaluation evaluation,
        @Nullable Tuning tuning) implements ReportingCommand.Report {
    private static final int BAR_WIDTH = 30;

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

    static String share(double value) {
        return Double.isNaN(value) ? "-" : format("%.4f", value);
    }

    private void addLabels(LabelReport found, TextTable report) {
        Labels labels = found.labels();
        report.text(
                labels.isPartial()
                        ? format(
                                "%,d pairs are called duplicates, %,d other documents. Precision and recall are of"
                                        + " these pairs alone: nobody judged the rest.",
                                labels.pairs(), labels.others())
                        : format("%,d pairs are called duplicates; all others count as none.", labels.pairs()));
        if (labels.unclear() + labels.open() > 0) {
            report.text(format(
                    "%,d pairs are unclear, %,d not answered yet: they do not count.",
                    labels.unclear(), labels.open()));
        }
        problems(labels).forEach(report::text);
        ShingleScores settings = found.settings();
        if (settings.belowFloor() > 0) {
            report.text(format(
                    "%,d duplicates are below the floor %s: missed by every threshold.",
                    settings.belowFloor(), settings.floor()));
        }
        report.row("", "pairs", "precision", "recall", "F1");
        addScore(
                "similarity >= " + settings.settings().threshold(),
                settings.settings().score(),
                report);
        addScore("found and verified", found.verified(), report);
        addScore(
                "similarity >= " + settings.best().threshold() + ", the best F1",
                settings.best().score(),
                report);
        report.blank();
        addShingles(found, report);
    }

    private static void addScore(String name, Score score, TextTable report) {
        report.row(
                name,
                score.told(),
                new Figure(share(score.precision())),
                new Figure(share(score.recall())),
                new Figure(share(score.f1())));
    }

    /** Lines of the file of labels or answers that do not count as they stand. */
    static List<String> problems(Labels labels) {
        List<String> lines = new ArrayList<>();
        if (labels.unknown() > 0) {
            lines.add(format("%,d lines name a document that is not there:", labels.unknown()));
            lines.add(
                    labels.unknownIds().stream().map(EvaluationReport::cut).collect(Collectors.joining(", ", "  ", ""))
                            + (labels.unknown() > labels.unknownIds().size() ? ", ..." : ""));
        }
        if (labels.selfPairs() > 0) {
            lines.add(format("%,d lines name one document twice.", labels.selfPairs()));
        }
        if (labels.changed() > 0) {
            lines.add(format("%,d lines say something else than a line before: the last counts.", labels.changed()));
        }
        return lines;
    }

    private static String cut(String id) {
        String printable = Printable.of(id);
        return printable.length() <= 60 ? printable : printable.substring(0, 57) + "...";
    }

    private void addShingles(LabelReport found, TextTable report) {
        report.text("Precision, recall and F1 from a threshold on: that of the settings (in other shingles what stands"
                + " for the same editing), the valley that tune finds, the best");
        report.row("", "settings  P    R   F1", "valley  P    R   F1", "best    P    R   F1");
        found.all().stream()
                .filter(scores -> scores.boilerplateLeftOut() == 0)
                .forEach(scores -> addShingle(scores, report));
        if (found.all().stream().anyMatch(scores -> scores.boilerplateLeftOut() > 0)) {
            report.text("Without the shingles that are common by each, as tune measures them:");
            found.all().stream()
                    .filter(scores -> scores.boilerplateLeftOut() > 0)
                    .forEach(scores -> addShingle(scores, report));
        }
        found.leftOut().forEach(shingle -> report.row(shingle, "too many pairs are alike"));
        if (found.all().stream().anyMatch(this::isRaised)) {
            report.text("* Too many pairs are alike below this similarity to compare them: there may be a better"
                    + " threshold below it.");
        }
        if (tuning != null) {
            report.blank();
            addProposal(tuning, found, report);
        }
    }

    private void addShingle(ShingleScores scores, TextTable report) {
        String floor = isRaised(scores) ? " *" + decimals(scores.floor()).substring(0, 2) : "";
        report.row(
                scores.shingle() + floor,
                columns(scores.reachesSettings() ? Optional.of(scores.settings()) : Optional.empty()),
                columns(valley(scores)),
                columns(Optional.of(scores.best())),
                scores.equals(labels().best()) ? "<" : "");
    }

    private static String columns(Optional<AtThreshold> found) {
        return found.map(at -> format(
                        "%4s %4s %4s %4s",
                        decimals(at.threshold()),
                        decimals(at.score().precision()),
                        decimals(at.score().recall()),
                        decimals(at.score().f1())))
                .orElse("-");
    }

    private void addProposal(Tuning tuned, LabelReport found, TextTable report) {
        ShingleFit proposal = tuned.proposal();
        Optional<AtThreshold> proposed = proposedScores(found);
        report.text(format(
                "Without labels tune %s %s, duplicates from %s on%s%s.",
                tuned.finding() == Finding.PARTED ? "proposes" : "is not sure, and keeps",
                proposal.shingle(),
                proposal.threshold(),
                tuned.boilerplate().isPresent() ? ", without the boilerplate" : "",
                proposed.map(at -> ": F1 " + decimals(at.score().f1())).orElse("")));
        if (proposal.threshold() < found.settings().floor() && proposed.isEmpty()) {
            report.text(
                    "Its F1 is not known: pairs below " + found.settings().floor() + " were not looked for (--floor).");
        }
    }

    private Optional<AtThreshold> proposedScores(LabelReport found) {
        return found.all().stream().flatMap(scores -> proposed(scores).stream()).findFirst();
    }

    /** What people say of the proposal, if it is by the same shingles. */
    Optional<AtThreshold> proposed(ShingleScores scores) {
        return tuned(scores)
                .flatMap(found -> Optional.ofNullable(tuning).map(Tuning::proposal))
                .filter(proposal -> proposal.shingle().equals(scores.shingle()))
                .flatMap(proposal -> scores.at(proposal.threshold()));
    }

    private Optional<AtThreshold> valley(ShingleScores scores) {
        return tuned(scores).flatMap(MeasuredShingle::valley).flatMap(valley -> scores.at(valley.threshold()));
    }

    /** What was tuned by the same shingles: thresholds of one cut mean nothing in another. */
    private Optional<MeasuredShingle> tuned(ShingleScores scores) {
        return Optional.ofNullable(tuning)
                .flatMap(found -> found.measured(scores.shingle()))
                .filter(measured -> measured.shingling().equals(scores.shingling()));
    }

    /** Three of them, as narrow as can be. */
    private static String decimals(double value) {
        return Double.isNaN(value)
                ? "-"
                : value == 1 ? "1.00" : format("%.3f", value).substring(1);
    }

    private boolean isRaised(ShingleScores scores) {
        return scores.floor() > labels().settings().floor();
    }

    /** By the shingle of the settings, by that of the proposal and by the best one, each once. */
    List<ShingleScores> drawn() {
        Set<ShingleScores> drawn = new LinkedHashSet<>(List.of(labels().settings()));
        labels().all().stream().filter(scores -> proposed(scores).isPresent()).forEach(drawn::add);
        drawn.add(labels().best());
        return List.copyOf(drawn);
    }

    private LabelReport labels() {
        return Objects.requireNonNull(evaluation.labels());
    }

    /** How the documents were cut, such as {@code char:9, without boilerplate}. */
    static String cut(ShingleScores scores) {
        return scores.shingle() + (scores.boilerplateLeftOut() > 0 ? ", without boilerplate" : "");
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
        if (evaluation.labels() != null) {
            report.set("labels", json(evaluation.labels()));
        }
        return report;
    }

    private ObjectNode json(LabelReport found) {
        ObjectNode into = Json.of(found.labels())
                .put("belowFloor", found.settings().belowFloor())
                .put("bestShingle", found.best().shingle())
                .put("bestBoilerplateLeftOut", found.best().boilerplateLeftOut());
        into.set("similar", Json.of(found.settings().settings().score()));
        into.set("verified", Json.of(found.verified()));
        into.set("best", Json.of(found.settings().best()));
        ArrayNode shingles = into.putArray("shingles");
        for (ShingleScores scores : found.all()) {
            ObjectNode shingle = Json.of(scores);
            if (!scores.reachesSettings()) {
                shingle.remove("settings");
            }
            valley(scores).ifPresent(at -> shingle.set("valley", Json.of(at)));
            shingles.add(shingle);
        }
        into.set("shinglesLeftOut", Json.array(found.leftOut()));
        if (tuning != null) {
            ObjectNode proposal = into.putObject("tune")
                    .put("finding", tuning.finding().code())
                    .put("shingle", tuning.proposal().shingle())
                    .put("threshold", tuning.proposal().threshold())
                    .put(
                            "boilerplateLeftOut",
                            tuning.excluded().map(BoilerplateShingles::size).orElse(0));
            proposedScores(found).ifPresent(at -> proposal.setAll(Json.of(at.score())));
        }
        return into;
    }
}
