package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.tools.analysis.Alternative;
import io.neardup.tools.analysis.Finding;
import io.neardup.tools.analysis.MeasuredShingle;
import io.neardup.tools.analysis.PairExample;
import io.neardup.tools.analysis.ShingleFit;
import io.neardup.tools.analysis.SimilarityCounts;
import io.neardup.tools.analysis.Tuning;
import io.neardup.tools.analysis.TuningTargets;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** What was measured on documents, and what is proposed. */
record TuningReport(Tuning tuning, TuningTargets targets) implements CommandReport {
    private static final ObjectMapper JSON = new ObjectMapper();

    TunedSettings settings() {
        ShingleFit fit = tuning.proposal();
        return TunedSettings.of(
                fit,
                tuning.excluded(),
                text(
                        "For %,d documents, found at the threshold with a chance of %s.",
                        fit.indexSize(), targets.recall()));
    }

    /** What of them is for an index that is made with them. */
    TunedSettings proposed() {
        return tuning.finding() == Finding.PARTED
                ? settings()
                : settings().given(targets.indexSize().isPresent());
    }

    @Override
    public void print(PrintWriter output) {
        printSample(output);
        output.println();
        printShingles(output);
        output.println();
        output.println(
                "Pairs by their similarity in " + tuning.proposal().shingle() + " (bars on a logarithmic scale):");
        ShingleFit fit = tuning.proposal();
        TuningPlot.lines(tuning.proposed().counts(), fit.threshold()).forEach(output::println);
        output.println();
        TuningText.finding(tuning).forEach(output::println);
        tuning.alternatives().stream()
                .limit(tuning.finding() == Finding.PARTED ? 1 : Long.MAX_VALUE)
                .forEach(alternative -> printAlternative(alternative, output));
        output.println();
        TuningText.cost(tuning.proposal(), targets, tuning.excluded().isPresent())
                .forEach(output::println);
        output.println();
        proposed().lines().forEach(output::println);
    }

    /** What was found, without the figures. */
    List<String> finding() {
        return TuningText.finding(tuning);
    }

    private void printSample(PrintWriter output) {
        RejectedText.lines(tuning.rejected()).forEach(output::println);
        output.println(
                tuning.askers() == tuning.documents()
                        ? text(
                                "%,d documents; all %,d pairs of them were compared.",
                                tuning.documents(), tuning.pairs())
                        : text(
                                "%,d documents, and %,d of them compared with all: %,d pairs.",
                                tuning.documents(), tuning.askers(), tuning.pairs()));
        TuningText.bounds(tuning).forEach(output::println);
    }

    private void printShingles(PrintWriter output) {
        output.println("Half and 999 of 1,000 pairs stay below so much; the valley before the copies, and its depth:");
        output.println("             half   999/1,000   valley   depth  pairs from there on");
        for (MeasuredShingle measured : tuning.measured()) {
            String valley = measured.valley()
                    .map(found -> text(
                            "%6.2f%8.0f  %,19.0f",
                            found.threshold(), found.depth(), measured.counts().pairsFrom(found.threshold())))
                    .orElse("     -");
            output.println(text(
                    "%-13s%.2f        %.2f   %s%s",
                    measured.shingle(),
                    measured.counts().quantile(0.5),
                    measured.counts().quantile(0.999),
                    valley,
                    measured.shingle().equals(tuning.proposal().shingle()) ? "  <-" : ""));
        }
    }

    private void printAlternative(Alternative alternative, PrintWriter output) {
        output.println();
        output.println(text(
                "%s at %.2f: %,.0f pairs are duplicates (%d of %d random halves say so or nearly so)",
                alternative.shingle(),
                alternative.threshold(),
                alternative.pairs(),
                alternative.halves(),
                Alternative.HALVES));
        printExamples(" just below, kept:", alternative.below(), output);
        printExamples(" just above, removed:", alternative.above(), output);
    }

    private void printExamples(String title, List<PairExample> pairs, PrintWriter output) {
        output.println(pairs.isEmpty() ? title + " none" : title);
        pairs.stream()
                .flatMap(pair -> PairText.lines(pair.jaccard(), textOf(pair.first()), textOf(pair.second())).stream())
                .forEach(output::println);
    }

    private String textOf(int document) {
        return tuning.texts().apply(document).text();
    }

    @Override
    public ObjectNode json() {
        ObjectNode report = JSON.createObjectNode()
                .put("documents", tuning.documents())
                .put("lines", tuning.lines())
                .put("askers", tuning.askers())
                .put("askerBound", tuning.askerBound().name().toLowerCase(Locale.ROOT))
                .put("isSampled", tuning.isSampled())
                .put("pairs", tuning.pairs())
                .put("finding", TuningText.code(tuning.finding()))
                .put("indexSize", tuning.proposal().indexSize());
        report.set("rejected", RejectedText.json(tuning.rejected()));
        ArrayNode shingles = report.putArray("shingles");
        tuning.measured().forEach(measured -> shingles.add(json(measured)));
        report.set("proposal", json(tuning.proposal()));
        ArrayNode alternatives = report.putArray("alternatives");
        tuning.alternatives().forEach(alternative -> alternatives.add(json(alternative)));
        tuning.boilerplate().ifPresent(boilerplate -> report.putObject("boilerplate")
                .put("shingle", boilerplate.shingle())
                .put("threshold", boilerplate.threshold())
                .put("share", boilerplate.share())
                .put("pairs", boilerplate.pairs())
                .put("left", boilerplate.left())
                .put("counted", boilerplate.documents())
                .put("leftOut", boilerplate.leftOut()));
        tuning.excluded().ifPresent(common -> report.putObject("boilerplate")
                .put("shingles", common.size())
                .put("fingerprint", common.fingerprint()));
        tuning.age().ifPresent(age -> report.putObject("age")
                .put("boilerplate", age.boilerplate())
                .put("missing", age.missing())
                .put("missingShare", age.missingShare()));
        report.put(
                "boilerplateLeftOut",
                settings().boilerplate().map(BoilerplateShingles::size).orElse(0));
        report.set("settings", JSON.valueToTree(settings().values()));
        return report;
    }

    private static ObjectNode json(MeasuredShingle measured) {
        SimilarityCounts counts = measured.counts();
        ObjectNode figures = JSON.createObjectNode()
                .put("shingle", measured.shingle())
                .put("half", counts.quantile(0.5))
                .put("high", counts.quantile(0.999));
        measured.valley().ifPresent(valley -> figures.putObject("valley")
                .put("threshold", valley.threshold())
                .put("depth", valley.depth())
                .put("contrast", valley.contrast())
                .put("bulk", valley.bulk())
                .put("copies", valley.copies())
                .put("pairs", counts.pairsFrom(valley.threshold())));
        figures.set(
                "histogram",
                JSON.valueToTree(IntStream.range(0, SimilarityCounts.BINS)
                        .mapToDouble(bin -> counts.pairs(bin, bin + 1))
                        .toArray()));
        return figures;
    }

    private static ObjectNode json(ShingleFit fit) {
        return JSON.createObjectNode()
                .put("shingle", fit.shingle())
                .put("threshold", fit.threshold())
                .put("pairs", fit.duplicatePairs())
                .put("bands", fit.banding().bands())
                .put("rows", fit.banding().rows())
                .put("recall", fit.recall())
                .put("falseCandidates", fit.falseCandidates())
                .put("falseCandidatesOf10Million", fit.falseCandidates(TuningText.LARGE_INDEX))
                .put("bytesPerDocument", fit.bytesPerDocument());
    }

    private ObjectNode json(Alternative alternative) {
        ObjectNode figures = JSON.createObjectNode()
                .put("shingle", alternative.shingle())
                .put("threshold", alternative.threshold())
                .put("halves", alternative.halves())
                .put("pairs", alternative.pairs());
        figures.set("below", json(alternative.below()));
        figures.set("above", json(alternative.above()));
        return figures;
    }

    private ArrayNode json(List<PairExample> pairs) {
        ArrayNode examples = JSON.createArrayNode();
        pairs.forEach(pair -> examples.addObject()
                .put("first", tuning.texts().apply(pair.first()).id())
                .put("second", tuning.texts().apply(pair.second()).id())
                .put("similarity", pair.jaccard()));
        return examples;
    }
}
