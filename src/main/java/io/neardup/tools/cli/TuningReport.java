package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.engine.lsh.BandingSolver;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.tools.analysis.Alternative;
import io.neardup.tools.analysis.Boilerplate;
import io.neardup.tools.analysis.BoilerplateAge;
import io.neardup.tools.analysis.BoilerplateCount;
import io.neardup.tools.analysis.Finding;
import io.neardup.tools.analysis.MeasuredShingle;
import io.neardup.tools.analysis.PairExample;
import io.neardup.tools.analysis.ShingleFit;
import io.neardup.tools.analysis.SimilarityCounts;
import io.neardup.tools.analysis.Tuning;
import io.neardup.tools.analysis.TuningTargets;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was measured on documents, and what is proposed. */
record TuningReport(Tuning tuning, TuningTargets targets) implements CommandReport {
    /** A size that most feeds come to. */
    private static final long LARGE_INDEX = 10_000_000;
    /** Hundredths of a bar of the plot, and its length at the most. */
    private static final int BAR_WIDTH = 4;

    private static final int BAR_MAX = 50;
    /** Of the line of an example, and what both begin with of it. */
    private static final int EXAMPLE_WIDTH = 100;

    private static final int EXAMPLE_LEAD = 30;

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
        ShingleFit fit = tuning.proposal();
        output.println("Pairs by their similarity in " + fit.shingle() + " (bars on a logarithmic scale):");
        plot(tuning.proposed().counts(), fit.threshold()).forEach(output::println);
        output.println();
        finding().forEach(output::println);
        tuning.alternatives().stream()
                .limit(tuning.finding() == Finding.PARTED ? 1 : Long.MAX_VALUE)
                .forEach(alternative -> printAlternative(alternative, output));
        output.println();
        cost(fit, targets, tuning.excluded().isPresent()).forEach(output::println);
        output.println();
        proposed().lines().forEach(output::println);
    }

    private void printSample(PrintWriter output) {
        RejectedText.lines(tuning.rejected()).forEach(output::println);
        String asked = tuning.askers() == tuning.documents()
                ? text("%,d documents", tuning.documents())
                : text("%,d documents, each with %,d of them", tuning.documents(), tuning.askers());
        output.println(
                tuning.compared() == tuning.pairs()
                        ? text("%s; all %,d pairs of them were compared.", asked, tuning.pairs())
                        : text(
                                "%s; of %,d pairs %,d were compared: those that are alike, and a draw of the others"
                                        + " that stands for all.",
                                asked, tuning.pairs(), tuning.compared()));
        switch (tuning.askerBound()) {
            case WORK -> output.println("To compare more would take too long.");
            case MEMORY -> output.println("The texts are long: to compare more would take too much memory.");
            case NONE -> {}
        }
        if (tuning.isSampled()) {
            output.println(
                    "Of long texts a random sample of the shingles is compared: similarities of two of them are within"
                            + " .01 (standard deviation), of a short one and another less exact.");
        }
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

    /**
     * How similar pairs are, in characters: similarity downwards, a bar for the pairs of each {@value #BAR_WIDTH}
     * hundredths, a rule at the threshold. A bar grows with the logarithm of the pairs. The edges of the bars are such
     * that duplicates are counted from one of them on.
     */
    static List<String> plot(SimilarityCounts counts, double threshold) {
        List<String> lines = new ArrayList<>();
        int edge = SimilarityCounts.bin(threshold);
        int first = edge % BAR_WIDTH == 0 ? 0 : edge % BAR_WIDTH - BAR_WIDTH;
        double most = 1;
        for (int from = first; from < SimilarityCounts.BINS; from += BAR_WIDTH) {
            most = Math.max(most, pairs(counts, from));
        }
        boolean isWhole = threshold * SimilarityCounts.BINS < edge + 1e-6;
        String told = isWhole ? "threshold: duplicates" : "threshold " + threshold + ": duplicates, counted";
        for (int from = first; from < SimilarityCounts.BINS; from += BAR_WIDTH) {
            if (from == edge) {
                lines.add(text("%4.2f %s %s from here on", edge / 100.0, "-".repeat(16), told));
            }
            double pairs = pairs(counts, from);
            long bar = pairs < 0.5 ? 0 : Math.max(1, Math.round(BAR_MAX * Math.log1p(pairs) / Math.log1p(most)));
            lines.add(text("%4.2f %,15.0f %s", Math.max(0, from) / 100.0, pairs, "#".repeat((int) bar))
                    .stripTrailing());
        }
        return lines;
    }

    private static double pairs(SimilarityCounts counts, int from) {
        return counts.pairs(Math.max(0, from), Math.min(from + BAR_WIDTH, SimilarityCounts.BINS));
    }

    private void printAlternative(Alternative alternative, PrintWriter output) {
        output.println();
        output.println(text(
                "%s at %.2f: %,.0f pairs are duplicates (%d of %d random halves say so or nearly so)",
                alternative.shingle(),
                alternative.threshold(),
                alternative.pairs(),
                alternative.halves(),
                MeasuredShingle.HALVES));
        printExamples(" just below, kept:", alternative.below(), output);
        printExamples(" just above, removed:", alternative.above(), output);
    }

    private void printExamples(String title, List<PairExample> pairs, PrintWriter output) {
        output.println(pairs.isEmpty() ? title + " none" : title);
        pairs.forEach(pair -> example(pair).forEach(output::println));
    }

    /** A line with the similarity and a line for each text, cut down to where they differ first. */
    private List<String> example(PairExample pair) {
        String one = oneLine(pair.first());
        String other = oneLine(pair.second());
        int differ = 0;
        while (differ < Math.min(one.length(), other.length()) && one.charAt(differ) == other.charAt(differ)) {
            differ++;
        }
        int from = one.equals(other) || differ < 2 * EXAMPLE_LEAD ? 0 : differ - EXAMPLE_LEAD;
        return List.of(text("  %.2f  %s", pair.jaccard(), cut(one, from)), "        " + cut(other, from));
    }

    private String oneLine(int document) {
        return tuning.texts().apply(document).text().strip().replaceAll("[\\s\\p{Cntrl}]+", " ");
    }

    private static String cut(String text, int from) {
        String rest = from == 0 ? text : "..." + text.substring(Math.min(from, text.length()));
        return rest.length() <= EXAMPLE_WIDTH ? rest : rest.substring(0, EXAMPLE_WIDTH - 3) + "...";
    }

    /** What was found, and what is proposed, in sentences. */
    List<String> finding() {
        List<String> lines = new ArrayList<>();
        tuning.boilerplate().ifPresent(boilerplate -> addBoilerplate(boilerplate, lines));
        tuning.age()
                .filter(BoilerplateAge::isOld)
                .ifPresent(age -> lines.add(text(
                        "The boilerplate file has grown old: %,d of the %,d shingles that are common today are not in"
                                + " it, %.0f %% by the clusters that hold them. Make it anew: tune boilerplate"
                                + " FILE --write OUT.",
                        age.missing(), age.boilerplate(), 100 * age.missingShare())));
        lines.add(sentence());
        if (tuning.isTooShort() && tuning.documents() >= Tuning.DOCUMENTS_MIN) {
            lines.add(text(
                    "The texts are short (half of them have %d characters or fewer): copies and look-alikes"
                            + " differ too little to be told apart well.",
                    tuning.typicalCharacters()));
        }
        ShingleFit fit = tuning.proposal();
        lines.add(text(
                tuning.finding() == Finding.PARTED
                        ? "Proposal: %s, duplicates from %s on%s."
                        : "So the convention is kept: %s, duplicates from %s on%s.",
                fit.shingle(),
                fit.threshold(),
                tuning.excluded().isPresent() ? ", without the boilerplate" : ""));
        if (tuning.finding() == Finding.PARTED && fit.isWithoutOrder()) {
            lines.add(text(
                    "%s knows little of the order of words: texts of the same words in another order are"
                            + " duplicates by it.",
                    fit.shingle()));
        }
        return lines;
    }

    private void addBoilerplate(Boilerplate boilerplate, List<String> lines) {
        lines.add(text(
                "Boilerplate: %.0f %% of the pairs at or above %.2f by %s are held there by shingles that more"
                        + " than %.0f %% of the clusters of similar documents hold",
                100 * boilerplate.share(),
                boilerplate.threshold(),
                boilerplate.shingle(),
                100 * BoilerplateCount.DEFAULT_SHARE));
        lines.add(text(
                "(%,.0f pairs, %,.0f without these shingles; counted in %,d documents, %.0f %% of all shingles are"
                        + " such).",
                boilerplate.pairs(), boilerplate.left(), boilerplate.documents(), 100 * boilerplate.leftOut()));
        boilerplate.example().ifPresent(pair -> {
            lines.add("For example:");
            lines.addAll(example(pair));
            lines.add(text("        without them %.2f", boilerplate.exampleLeft()));
        });
        lines.add("What is told here is without them.");
    }

    private String sentence() {
        return switch (tuning.finding()) {
            case PARTED -> {
                MeasuredShingle measured = tuning.proposed();
                yield measured.valley()
                        .map(valley -> text(
                                "The documents part: by %s the pairs fall from the unrelated to a valley around %.2f"
                                        + " and rise again to the copies around %.2f.",
                                measured.shingle(), valley.threshold(), valley.copies()))
                        .orElseThrow();
            }
            case UNSURE ->
                "It is not sure where the documents part: "
                        + (tuning.alternatives().isEmpty() ? "" : "choose from what is listed, or ")
                        + "keep the convention.";
            case NO_VALLEY ->
                "There are copies, but no shingle shows a valley between them and the unrelated: similarity"
                        + " falls evenly, as where texts are made from a template.";
            case EXACT_COPIES -> "The copies are nearly equal: any threshold below them finds the same.";
            case NO_COPIES -> "No two of the documents are alike: there are no copies to find a threshold by.";
            case ALL_ALIKE ->
                "Nearly all documents are alike: there is nothing unrelated to tell copies from. If they share a"
                        + " template, leave that out: neardup tune boilerplate FILE --write OUT.";
            case ALL_EQUAL -> "All documents are equal: there is nothing to tell copies from.";
            case TOO_FEW ->
                text(
                        "These are too few documents to tell: %,d, of at least %,d that are needed.",
                        tuning.documents(), Tuning.DOCUMENTS_MIN);
        };
    }

    /**
     * What a proposal costs.
     *
     * @param isWithoutCommon whether boilerplate is left out of it
     */
    static List<String> cost(ShingleFit fit, TuningTargets targets, boolean isWithoutCommon) {
        List<String> lines = new ArrayList<>();
        lines.add(text(
                "%d bands x %d rows find a duplicate at the threshold with a chance of %.4f. With %,d documents",
                fit.banding().bands(), fit.banding().rows(), fit.recall(), fit.indexSize()));
        lines.add(text(
                "one is compared with %s others for nothing, with %,d under these bands with %s; it takes %d bytes.",
                number(fit.falseCandidates()),
                LARGE_INDEX,
                number(fit.falseCandidates(LARGE_INDEX)),
                fit.bytesPerDocument()));
        if (fit.falseCandidates() > BandingSolver.FALSE_CANDIDATES_MAX) {
            lines.add(text(
                    "%d hashes cannot bring that down to 1, as some unrelated documents are alike%s:",
                    targets.hashesMax(), isWithoutCommon ? " without the boilerplate too" : ""));
            lines.add(
                    isWithoutCommon
                            ? "raise the threshold, or live with the work."
                            : "leave out menus and templates (tune boilerplate), or raise the threshold.");
        }
        return lines;
    }

    private static String number(double value) {
        return text(value >= 10 ? "%,.0f" : value >= 0.1 ? "%.1f" : "%.1g", value);
    }

    /** The name of a finding for programs, such as {@code no-copies}. */
    static String code(Finding finding) {
        return finding.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public ObjectNode json() {
        ObjectNode report = Json.object()
                .put("documents", tuning.documents())
                .put("lines", tuning.lines())
                .put("askers", tuning.askers())
                .put("askerBound", tuning.askerBound().name().toLowerCase(Locale.ROOT))
                .put("isSampled", tuning.isSampled())
                .put("pairs", tuning.pairs())
                .put("compared", tuning.compared())
                .put("finding", code(tuning.finding()))
                .put("indexSize", tuning.proposal().indexSize());
        report.set("rejected", RejectedText.json(tuning.rejected()));
        ArrayNode shingles = report.putArray("shingles");
        tuning.measured().forEach(measured -> shingles.add(json(measured)));
        report.set("proposal", json(tuning.proposal()));
        ArrayNode alternatives = report.putArray("alternatives");
        tuning.alternatives().forEach(alternative -> alternatives.add(json(alternative)));
        tuning.boilerplate().ifPresent(found -> report.set("boilerplate", Json.of(found)));
        tuning.excluded().ifPresent(common -> report.putObject("boilerplate")
                .put("shingles", common.size())
                .put("fingerprint", common.fingerprint()));
        tuning.age().ifPresent(age -> report.set("age", Json.of(age)));
        report.put(
                "boilerplateLeftOut",
                settings().boilerplate().map(BoilerplateShingles::size).orElse(0));
        report.set("settings", Json.of(settings().values()));
        return report;
    }

    private static ObjectNode json(MeasuredShingle measured) {
        SimilarityCounts counts = measured.counts();
        ObjectNode figures = Json.object()
                .put("shingle", measured.shingle())
                .put("half", counts.quantile(0.5))
                .put("high", counts.quantile(0.999));
        measured.valley()
                .ifPresent(valley ->
                        figures.set("valley", Json.of(valley).put("pairs", counts.pairsFrom(valley.threshold()))));
        ArrayNode histogram = figures.putArray("histogram");
        for (int bin = 0; bin < SimilarityCounts.BINS; bin++) {
            histogram.add(counts.pairs(bin, bin + 1));
        }
        return figures;
    }

    private static ObjectNode json(ShingleFit fit) {
        return Json.object()
                .put("shingle", fit.shingle())
                .put("threshold", fit.threshold())
                .put("pairs", fit.duplicatePairs())
                .put("bands", fit.banding().bands())
                .put("rows", fit.banding().rows())
                .put("recall", fit.recall())
                .put("falseCandidates", fit.falseCandidates())
                .put("falseCandidatesOf10Million", fit.falseCandidates(LARGE_INDEX))
                .put("bytesPerDocument", fit.bytesPerDocument());
    }

    private ObjectNode json(Alternative alternative) {
        ObjectNode figures = Json.of(alternative);
        figures.set("below", json(alternative.below()));
        figures.set("above", json(alternative.above()));
        return figures;
    }

    private ArrayNode json(List<PairExample> pairs) {
        ArrayNode examples = Json.object().putArray("pairs");
        pairs.forEach(pair -> examples.addObject()
                .put("first", tuning.texts().apply(pair.first()).id())
                .put("second", tuning.texts().apply(pair.second()).id())
                .put("similarity", pair.jaccard()));
        return examples;
    }
}
