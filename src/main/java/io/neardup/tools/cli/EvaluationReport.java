package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.record.Printable;
import io.neardup.tools.analysis.Answer;
import io.neardup.tools.analysis.DocumentSample;
import io.neardup.tools.analysis.Evaluation;
import io.neardup.tools.analysis.Evaluation.Bin;
import io.neardup.tools.analysis.Evaluation.Estimate;
import io.neardup.tools.analysis.Finding;
import io.neardup.tools.analysis.LabelReport;
import io.neardup.tools.analysis.Labels;
import io.neardup.tools.analysis.MeasuredShingle;
import io.neardup.tools.analysis.Score;
import io.neardup.tools.analysis.ShingleFit;
import io.neardup.tools.analysis.ShingleScores;
import io.neardup.tools.analysis.ShingleScores.AtThreshold;
import io.neardup.tools.analysis.Tuning;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What settings find, beside what people say of pairs where that is known. */
final class EvaluationReport implements CommandReport {
    private static final int BAR_WIDTH = 30;
    private static final int PLOT_LINES = 11;
    private static final int PLOT_COLUMNS = 31;
    /** Of a plot, with room before the next. */
    private static final int PLOT_WIDTH = 40;

    private final DocumentSample sample;
    private final NeardupConfig config;
    private final Evaluation evaluation;
    private final @Nullable Tuning tuning;

    /** @param tuning of the same documents, without labels; null where it is not known */
    EvaluationReport(DocumentSample sample, NeardupConfig config, Evaluation evaluation, @Nullable Tuning tuning) {
        this.sample = sample;
        this.config = config;
        this.evaluation = evaluation;
        this.tuning = tuning;
    }

    Evaluation evaluation() {
        return evaluation;
    }

    NeardupConfig config() {
        return config;
    }

    @Override
    public void print(PrintWriter output) {
        List<String> lines = new ArrayList<>(RejectedText.lines(sample.rejected()));
        lines.add(text(
                "%,d documents%s%s",
                evaluation.documents(),
                sample.isWhole() ? "" : ", the first of the file",
                sample.isFull() ? ": more need a larger heap (java -Xmx4g -jar ...)" : ""));
        lines.add(text(
                "%s, threshold %s, %d bands x %d rows, neardup.similarity.verify=%s",
                config.shingling().spec(),
                config.threshold(),
                config.banding().bands(),
                config.banding().rows(),
                verification()));
        lines.add("");
        lines.add(text(
                "%-12s%12s%10s%9s%10s   found ### missed ...", "similarity", "pairs", "missed", "found", "promised"));
        evaluation.bins().forEach(bin -> lines.add(line(bin)));
        lines.add("");
        addTotals(lines);
        if (evaluation.labels() != null) {
            lines.add("");
            addLabels(evaluation.labels(), lines);
        }
        lines.forEach(output::println);
    }

    private String verification() {
        return config.verification().name().toLowerCase(Locale.ROOT);
    }

    private static String line(Bin bin) {
        // A single miss among many shows.
        int full = bin.pairs() == 0 ? 0 : (int) (BAR_WIDTH * bin.recall());
        String bar = bin.pairs() == 0 ? "" : "#".repeat(full) + ".".repeat(BAR_WIDTH - full);
        return text(
                "%.2f-%.2f   %,12d%,10d%9s%10.4f   %s",
                bin.from(), bin.to(), bin.pairs(), bin.pairs() - bin.found(), share(bin.recall()), bin.promise(), bar);
    }

    private void addTotals(List<String> lines) {
        lines.add(text(
                "at or above %s %,12d pairs, %,d found: recall %s, promised %s",
                config.threshold(),
                evaluation.similar(),
                evaluation.found(),
                share(evaluation.recall()),
                share(evaluation.promise())));
        Estimate estimate = evaluation.estimate();
        if (estimate != null) {
            lines.add(text(
                    "                estimated from %,d pairs: with a chance of 95 %% there are %,d to %,d, and recall"
                            + " is %s to %s",
                    estimate.pairs(),
                    estimate.similarLow(),
                    estimate.similarHigh(),
                    share(estimate.recallLow()),
                    share(estimate.recallHigh())));
        }
        lines.add(text(
                "candidates      %,12d pairs, %.2f a document: precision %s before verification",
                evaluation.candidates(), evaluation.candidatesPerDocument(), share(evaluation.candidatePrecision())));
        lines.add(text(
                "verified        %,12d pairs: precision %s, recall %s",
                evaluation.verifiedScore().told(),
                share(evaluation.verifiedScore().precision()),
                share(evaluation.verifiedScore().recall())));
        if (evaluation.bucketsFull() > 0) {
            lines.add(text(
                    "full buckets    %,12d times refused a document (neardup.bucket.max is %,d)",
                    evaluation.bucketsFull(), config.bucketMax()));
        }
    }

    static String share(double value) {
        return Double.isNaN(value) ? "-" : text("%.4f", value);
    }

    private void addLabels(LabelReport report, List<String> lines) {
        lines.addAll(judged(report.labels()));
        ShingleScores settings = report.settings();
        if (settings.belowFloor() > 0) {
            lines.add(text(
                    "%,d duplicates are below the floor %s: missed by every threshold.",
                    settings.belowFloor(), settings.floor()));
        }
        lines.add(text("%-34s%12s%11s%8s%8s", "", "pairs", "precision", "recall", "F1"));
        lines.add(line(
                "similarity >= " + settings.settings().threshold(),
                settings.settings().score()));
        lines.add(line("found and verified", report.verified()));
        lines.add(line(
                "similarity >= " + settings.best().threshold() + ", the best F1",
                settings.best().score()));
        lines.add("");
        addShingles(report, lines);
        lines.add("");
        lines.add("By threshold: p precision, r recall, x both; s the settings, b the best");
        List<ShingleScores> drawn = drawn();
        for (int i = 0; i < drawn.size(); i += 2) {
            List<String> left = plot(drawn.get(i));
            List<String> right = i + 1 < drawn.size() ? plot(drawn.get(i + 1)) : List.of();
            for (int line = 0; line < left.size(); line++) {
                String padded =
                        left.get(line) + " ".repeat(PLOT_WIDTH - left.get(line).length());
                lines.add(right.isEmpty() ? left.get(line) : padded + right.get(line));
            }
        }
    }

    /** What was read from a file of labels or answers. */
    private static List<String> judged(Labels labels) {
        List<String> lines = new ArrayList<>();
        if (labels.isPartial()) {
            lines.add(text(
                    "%,d pairs are called duplicates, %,d other documents.",
                    labels.pairs(), labels.count(Answer.OTHER)));
            lines.add("Precision and recall are of these pairs alone: nobody judged the rest.");
        } else {
            lines.add(text("%,d pairs are called duplicates; all others count as none.", labels.pairs()));
        }
        if (labels.count(Answer.UNCLEAR) + labels.count(Answer.OPEN) > 0) {
            lines.add(text(
                    "%,d pairs are unclear, %,d not answered yet: they do not count.",
                    labels.count(Answer.UNCLEAR), labels.count(Answer.OPEN)));
        }
        lines.addAll(problems(labels));
        return lines;
    }

    /** Lines of the file that do not count as they stand. */
    static List<String> problems(Labels labels) {
        List<String> lines = new ArrayList<>();
        if (labels.unknown() > 0) {
            lines.add(text("%,d lines name a document that is not there:", labels.unknown()));
            lines.add(
                    labels.unknownIds().stream().map(EvaluationReport::cut).collect(Collectors.joining(", ", "  ", ""))
                            + (labels.unknown() > labels.unknownIds().size() ? ", ..." : ""));
        }
        if (labels.selfPairs() > 0) {
            lines.add(text("%,d lines name one document twice.", labels.selfPairs()));
        }
        if (labels.changed() > 0) {
            lines.add(text("%,d lines say something else than a line before: the last counts.", labels.changed()));
        }
        return lines;
    }

    private static String cut(String id) {
        String printable = Printable.of(id);
        return printable.length() <= 60 ? printable : printable.substring(0, 57) + "...";
    }

    private static String line(String name, Score score) {
        return text(
                "%-34s%,12d%11s%8s%8s",
                name, score.told(), share(score.precision()), share(score.recall()), share(score.f1()));
    }

    private void addShingles(LabelReport report, List<String> lines) {
        lines.add("Precision, recall and F1 from a threshold on: that of the settings (in other");
        lines.add("shingles what stands for the same editing), the valley that tune finds, the best");
        lines.add("");
        lines.add(text("%-16s%-22s%-21s%s", "", "settings  P    R   F1", "valley  P    R   F1", "best   P    R   F1"));
        report.all().stream()
                .filter(scores -> scores.boilerplate().isEmpty())
                .forEach(scores -> lines.add(line(scores)));
        if (report.all().stream().anyMatch(scores -> scores.boilerplate().isPresent())) {
            lines.add("Without the shingles that are common by each, as tune measures them:");
            report.all().stream()
                    .filter(scores -> scores.boilerplate().isPresent())
                    .forEach(scores -> lines.add(line(scores)));
        }
        report.leftOut().forEach(shingle -> lines.add(text("%-11s  too many pairs are alike", shingle)));
        if (report.all().stream().anyMatch(this::isRaised)) {
            lines.add("* Too many pairs are alike below this similarity to compare them: there may be a");
            lines.add("  better threshold below it.");
        }
        if (tuning != null) {
            lines.add("");
            addProposal(tuning, report, lines);
        }
    }

    private String line(ShingleScores scores) {
        String floor = isRaised(scores) ? "*" + decimals(scores.floor()).substring(0, 2) : "";
        return text("%-11s%-4s", scores.shingle(), floor)
                + columns(scores.reachesSettings() ? Optional.of(scores.settings()) : Optional.empty())
                + columns(valley(scores))
                + columns(Optional.of(scores.best()))
                + (scores.equals(labels().best()) ? " <" : "");
    }

    private void addProposal(Tuning found, LabelReport report, List<String> lines) {
        ShingleFit proposal = found.proposal();
        Optional<AtThreshold> proposed = report.all().stream()
                .flatMap(scores -> proposed(scores).stream())
                .findFirst();
        lines.add(text(
                "Without labels tune %s %s, duplicates from %s on%s%s.",
                found.finding() == Finding.PARTED ? "proposes" : "is not sure, and keeps",
                proposal.shingle(),
                proposal.threshold(),
                found.boilerplate().isPresent() ? ",\nwithout the boilerplate" : "",
                proposed.map(at -> ": F1 " + decimals(at.score().f1())).orElse("")));
        if (proposal.threshold() < report.settings().floor() && proposed.isEmpty()) {
            lines.add("Its F1 is not known: pairs below " + report.settings().floor()
                    + " were not looked for (--floor).");
        }
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

    private static String columns(Optional<AtThreshold> found) {
        return found.map(at -> text(
                        "%6s%5s%5s%5s",
                        decimals(at.threshold()),
                        decimals(at.score().precision()),
                        decimals(at.score().recall()),
                        decimals(at.score().f1())))
                .orElse(text("%6s%15s", "-", ""));
    }

    /** Three of them, as narrow as can be. */
    private static String decimals(double value) {
        return Double.isNaN(value)
                ? "-"
                : value == 1 ? "1.00" : text("%.3f", value).substring(1);
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
        return scores.shingle() + (scores.boilerplate().isPresent() ? ", without boilerplate" : "");
    }

    /** Precision and recall: threshold to the right, score upwards. */
    private static List<String> plot(ShingleScores scores) {
        TextPlot plot = new TextPlot(PLOT_LINES, PLOT_COLUMNS);
        for (AtThreshold at : scores.sweep()) {
            plot.mark(at.threshold(), at.score().precision(), 'p');
            plot.mark(at.threshold(), at.score().recall(), 'r');
        }
        StringBuilder axis = new StringBuilder("-".repeat(PLOT_COLUMNS));
        axis.setCharAt(plot.column(scores.settings().threshold()), 's');
        axis.setCharAt(plot.column(scores.best().threshold()), 'b');
        List<String> lines = new ArrayList<>(List.of("     " + cut(scores)));
        lines.addAll(plot.lines("%3.1f ", axis.toString()));
        lines.add("     0    .2    .4    .6    .8    1");
        return lines;
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
        report.set("rejected", RejectedText.json(sample.rejected()));
        if (evaluation.labels() != null) {
            putLabels(evaluation.labels(), report.putObject("labels"));
        }
        return report;
    }

    private void putLabels(LabelReport report, ObjectNode into) {
        Labels labels = report.labels();
        into.put("judged", labels.isPartial() ? "named" : "all")
                .put("pairs", labels.pairs())
                .put("others", labels.count(Answer.OTHER))
                .put("unclear", labels.count(Answer.UNCLEAR))
                .put("open", labels.count(Answer.OPEN))
                .put("changed", labels.changed())
                .put("unknown", labels.unknown())
                .put("selfPairs", labels.selfPairs())
                .put("belowFloor", report.settings().belowFloor())
                .put("bestShingle", report.best().shingle())
                .put("bestBoilerplateLeftOut", size(report.best().boilerplate()));
        labels.unknownIds().forEach(into.putArray("unknownIds")::add);
        into.set("similar", Json.of(report.settings().settings().score()));
        into.set("verified", Json.of(report.verified()));
        into.set("best", Json.of(report.settings().best()));
        ArrayNode shingles = into.putArray("shingles");
        report.all().forEach(scores -> put(shingles.addObject(), scores));
        report.leftOut().forEach(into.putArray("shinglesLeftOut")::add);
        if (tuning != null) {
            ObjectNode proposal = into.putObject("tune")
                    .put("finding", TuningReport.code(tuning.finding()))
                    .put("shingle", tuning.proposal().shingle())
                    .put("threshold", tuning.proposal().threshold())
                    .put("boilerplateLeftOut", size(tuning.excluded()));
            report.all().stream()
                    .flatMap(scores -> proposed(scores).stream())
                    .findFirst()
                    .ifPresent(at -> proposal.setAll(Json.of(at.score())));
        }
    }

    private void put(ObjectNode into, ShingleScores scores) {
        into.put("shingle", scores.shingle())
                .put("boilerplateLeftOut", size(scores.boilerplate()))
                .put("floor", scores.floor())
                .put("belowFloor", scores.belowFloor());
        if (scores.reachesSettings()) {
            into.set("settings", Json.of(scores.settings()));
        }
        valley(scores).ifPresent(at -> into.set("valley", Json.of(at)));
        into.set("best", Json.of(scores.best()));
    }

    private static int size(Optional<BoilerplateShingles> common) {
        return common.map(BoilerplateShingles::size).orElse(0);
    }
}
