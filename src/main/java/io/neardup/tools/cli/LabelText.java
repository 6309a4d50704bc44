package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.record.Printable;
import io.neardup.tools.analysis.Answer;
import io.neardup.tools.analysis.AtThreshold;
import io.neardup.tools.analysis.Finding;
import io.neardup.tools.analysis.LabelReport;
import io.neardup.tools.analysis.Labels;
import io.neardup.tools.analysis.MeasuredShingle;
import io.neardup.tools.analysis.Score;
import io.neardup.tools.analysis.ShingleFit;
import io.neardup.tools.analysis.ShingleScores;
import io.neardup.tools.analysis.Tuning;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What people say of pairs beside what is found, for people and for programs. */
final class LabelText {
    private final LabelReport report;
    private final Labels labels;
    private final @Nullable Tuning tuning;

    /** @param tuning of the same documents, without labels; null where it is not known */
    LabelText(LabelReport report, @Nullable Tuning tuning) {
        this.report = report;
        this.labels = report.labels();
        this.tuning = tuning;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>(judged(labels));
        ShingleScores settings = report.settings();
        if (settings.belowFloor() > 0) {
            lines.add(format(
                    "%,d duplicates are below the floor %s: missed by every threshold.",
                    settings.belowFloor(), settings.floor()));
        }
        lines.add(format("%-34s%12s%11s%8s%8s", "", "pairs", "precision", "recall", "F1"));
        lines.add(line(
                "similarity >= " + settings.settings().threshold(),
                settings.settings().score()));
        lines.add(line("found and verified", report.verified()));
        lines.add(line(
                "similarity >= " + settings.best().threshold() + ", the best F1",
                settings.best().score()));
        lines.add("");
        addShingles(lines);
        lines.add("");
        addPlots(lines);
        return lines;
    }

    /** What was read from a file of labels or answers. */
    static List<String> judged(Labels labels) {
        List<String> lines = new ArrayList<>();
        if (labels.isPartial()) {
            lines.add(format(
                    "%,d pairs are called duplicates, %,d other documents.",
                    labels.pairs(), labels.count(Answer.OTHER)));
            lines.add("Precision and recall are of these pairs alone: nobody judged the rest.");
        } else {
            lines.add(format("%,d pairs are called duplicates; all others count as none.", labels.pairs()));
        }
        if (labels.count(Answer.UNCLEAR) + labels.count(Answer.OPEN) > 0) {
            lines.add(format(
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
            lines.add(format("%,d lines name a document that is not there:", labels.unknown()));
            lines.add(labels.unknownIds().stream().map(LabelText::cut).collect(Collectors.joining(", ", "  ", ""))
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

    private static String line(String name, Score score) {
        return format(
                "%-34s%,12d%11s%8s%8s",
                name,
                score.told(),
                EvaluationText.share(score.precision()),
                EvaluationText.share(score.recall()),
                EvaluationText.share(score.f1()));
    }

    private void addShingles(List<String> lines) {
        lines.add("Precision, recall and F1 from a threshold on: that of the settings (in other");
        lines.add("shingles what stands for the same editing), the valley that tune finds, the best");
        lines.add("");
        lines.add(
                format("%-16s%-22s%-21s%s", "", "settings  P    R   F1", "valley  P    R   F1", "best   P    R   F1"));
        all().stream().filter(scores -> scores.boilerplate().isEmpty()).forEach(scores -> lines.add(line(scores)));
        if (all().stream().anyMatch(scores -> scores.boilerplate().isPresent())) {
            lines.add("Without the shingles that are common by each, as tune measures them:");
            all().stream()
                    .filter(scores -> scores.boilerplate().isPresent())
                    .forEach(scores -> lines.add(line(scores)));
        }
        report.leftOut().forEach(shingle -> lines.add(format("%-11s  too many pairs are alike", shingle)));
        if (all().stream().anyMatch(this::isRaised)) {
            lines.add("* Too many pairs are alike below this similarity to compare them: there may be a");
            lines.add("  better threshold below it.");
        }
        if (tuning != null) {
            lines.add("");
            addProposal(tuning, lines);
        }
    }

    private String line(ShingleScores scores) {
        String floor = isRaised(scores) ? "*" + decimals(scores.floor()).substring(0, 2) : "";
        return format("%-11s%-4s", scores.shingle(), floor)
                + columns(scores.reachesSettings() ? Optional.of(scores.settings()) : Optional.empty())
                + columns(valley(scores))
                + columns(Optional.of(scores.best()))
                + (scores.equals(report.best()) ? " <" : "");
    }

    private void addProposal(Tuning found, List<String> lines) {
        ShingleFit proposal = found.proposal();
        lines.add(format(
                "Without labels tune %s %s, duplicates from %s on%s%s.",
                found.finding() == Finding.PARTED ? "proposes" : "is not sure, and keeps",
                proposal.shingle(),
                proposal.threshold(),
                found.boilerplate().isPresent() ? ",\nwithout the boilerplate" : "",
                proposed().map(at -> ": F1 " + decimals(at.score().f1())).orElse("")));
        if (proposal.threshold() < report.settings().floor() && proposed().isEmpty()) {
            lines.add("Its F1 is not known: pairs below " + report.settings().floor()
                    + " were not looked for (--floor).");
        }
    }

    /** What people say of the proposal. */
    private Optional<AtThreshold> proposed() {
        return all().stream().flatMap(scores -> proposed(scores).stream()).findFirst();
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
        return found.map(at -> format(
                        "%6s%5s%5s%5s",
                        decimals(at.threshold()),
                        decimals(at.score().precision()),
                        decimals(at.score().recall()),
                        decimals(at.score().f1())))
                .orElse(format("%6s%15s", "-", ""));
    }

    /** Three of them, as narrow as can be. */
    private static String decimals(double value) {
        return Double.isNaN(value)
                ? "-"
                : value == 1 ? "1.00" : format("%.3f", value).substring(1);
    }

    private boolean isRaised(ShingleScores scores) {
        return scores.floor() > report.settings().floor();
    }

    private void addPlots(List<String> lines) {
        List<ShingleScores> drawn = drawn();
        lines.add("By threshold: " + ScorePlot.LEGEND);
        lines.addAll(ScorePlot.lines(drawn));
    }

    /** By the shingle of the settings, by that of the proposal and by the best one, each once. */
    List<ShingleScores> drawn() {
        Set<ShingleScores> drawn = new LinkedHashSet<>(List.of(report.settings()));
        all().stream().filter(scores -> proposed(scores).isPresent()).forEach(drawn::add);
        drawn.add(report.best());
        return List.copyOf(drawn);
    }

    /** How the documents were cut, such as {@code char:9, without boilerplate}. */
    static String cut(ShingleScores scores) {
        return scores.shingle() + (scores.boilerplate().isPresent() ? ", without boilerplate" : "");
    }

    private List<ShingleScores> all() {
        List<ShingleScores> all = new ArrayList<>(List.of(report.settings()));
        all.addAll(report.others());
        return all;
    }

    void putInto(ObjectNode into) {
        into.put("judged", labels.isPartial() ? "named" : "all")
                .put("pairs", labels.pairs())
                .put("others", labels.count(Answer.OTHER))
                .put("unclear", labels.count(Answer.UNCLEAR))
                .put("open", labels.count(Answer.OPEN))
                .put("changed", labels.changed())
                .put("unknown", labels.unknown())
                .put("selfPairs", labels.selfPairs())
                .put("belowFloor", report.settings().belowFloor());
        ArrayNode unknown = into.putArray("unknownIds");
        labels.unknownIds().forEach(unknown::add);
        EvaluationText.put(
                into.putObject("similar"), report.settings().settings().score());
        EvaluationText.put(into.putObject("verified"), report.verified());
        put(into.putObject("best"), report.settings().best());
        ArrayNode shingles = into.putArray("shingles");
        all().forEach(scores -> put(shingles.addObject(), scores));
        ArrayNode leftOut = into.putArray("shinglesLeftOut");
        report.leftOut().forEach(leftOut::add);
        into.put("bestShingle", report.best().shingle())
                .put("bestBoilerplateLeftOut", size(report.best().boilerplate()));
        if (tuning != null) {
            ObjectNode proposal = into.putObject("tune")
                    .put("finding", TuningText.code(tuning.finding()))
                    .put("shingle", tuning.proposal().shingle())
                    .put("threshold", tuning.proposal().threshold())
                    .put("boilerplateLeftOut", size(tuning.excluded()));
            proposed().ifPresent(at -> EvaluationText.put(proposal, at.score()));
        }
    }

    private void put(ObjectNode into, ShingleScores scores) {
        into.put("shingle", scores.shingle())
                .put("boilerplateLeftOut", size(scores.boilerplate()))
                .put("floor", scores.floor())
                .put("belowFloor", scores.belowFloor());
        if (scores.reachesSettings()) {
            put(into.putObject("settings"), scores.settings());
        }
        valley(scores).ifPresent(at -> put(into.putObject("valley"), at));
        put(into.putObject("best"), scores.best());
    }

    private static int size(Optional<BoilerplateShingles> common) {
        return common.map(BoilerplateShingles::size).orElse(0);
    }

    private static void put(ObjectNode into, AtThreshold at) {
        EvaluationText.put(into.put("threshold", at.threshold()), at.score());
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
