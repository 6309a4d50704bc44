package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.figure;
import static io.neardup.tools.cli.TextTable.format;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.engine.lsh.BandingSolver;
import io.neardup.engine.similarity.FastSimilaritySketch;
import io.neardup.engine.similarity.Valley;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.tools.analysis.Boilerplate;
import io.neardup.tools.analysis.BoilerplateCount;
import io.neardup.tools.analysis.MeasuredShingle;
import io.neardup.tools.analysis.ShingleFit;
import io.neardup.tools.analysis.SimilarityCounts;
import io.neardup.tools.analysis.Tuner;
import io.neardup.tools.analysis.Tuning;
import io.neardup.tools.analysis.Tuning.Alternative;
import io.neardup.tools.analysis.Tuning.Finding;
import io.neardup.tools.analysis.Tuning.PairExample;
import io.neardup.tools.analysis.TuningTargets;
import io.neardup.tools.feed.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What was measured on documents, and what is proposed. */
record TuningReport(Tuning tuning, TuningTargets targets) implements ReportingCommand.Report {
    /** Values of a signature at most. */
    static final int HASHES_MAX = FastSimilaritySketch.SIZE_MAX;

    /** Hundredths of a bar of the plot, and its length at the most. */
    private static final int BAR_WIDTH = 4;

    private static final int BAR_MAX = 50;
    private static final int TEXT_LINES_MAX = 3;

    /**
     * Measures the documents of files. Everything that is drawn comes from one fixed seed, so that two runs agree.
     *
     * @param documentsMax of these the first are taken, at least 1
     * @throws IOException if a file cannot be read, no line is a document, or no bands and rows reach the recall
     */
    static TuningReport of(
            RereadInput input, NeardupConfig config, TuningTargets targets, int documentsMax, Progress progress)
            throws IOException {
        try {
            Tuning tuning = new Tuner(() -> input.open(config), targets, documentsMax, progress).tune();
            if (tuning.documents() == 0 && !tuning.rejected().isEmpty()) {
                throw new IOException(input.names() + ": expected documents, found none in " + tuning.lines() + " lines"
                        + SkippedText.noDocuments(tuning.rejected()));
            }
            return new TuningReport(tuning, targets);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw Failures.heapTooSmall("The documents", e);
        }
    }

    TunedSettings settings() {
        ShingleFit fit = tuning.proposal();
        return TunedSettings.of(
                fit,
                tuning.excluded(),
                format(
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
    public TextTable text() {
        ShingleFit fit = tuning.proposal();
        TextTable report = new TextTable();
        addSample(report);
        report.blank();
        addShingles(report);
        report.blank().text("Pairs by their similarity in " + fit.shingle() + " (bars on a logarithmic scale):");
        report.asIs(plot(tuning.proposed().counts(), fit.threshold())).blank();
        finding().forEach(report::text);
        tuning.alternatives().stream()
                .limit(tuning.finding() == Finding.PARTED ? 1 : Long.MAX_VALUE)
                .forEach(alternative -> addAlternative(alternative, report));
        report.blank().text(cost(fit, targets, tuning.excluded().isPresent())).blank();
        return report.asIs(proposed().lines());
    }

    private void addSample(TextTable report) {
        report.asIs(SkippedText.lines(tuning.rejected()));
        String asked = tuning.askers() == tuning.documents()
                ? format("%,d documents", tuning.documents())
                : format("%,d documents, each with %,d of them", tuning.documents(), tuning.askers());
        report.text(
                tuning.compared() == tuning.pairs()
                        ? format("%s; all %,d pairs of them were compared.", asked, tuning.pairs())
                        : format(
                                "%s; of %,d pairs %,d were compared: those that are alike, and a draw of the others"
                                        + " that stands for all.",
                                asked, tuning.pairs(), tuning.compared()));
    }

    private void addShingles(TextTable report) {
        report.text("Half and 999 of 1,000 pairs stay below so much; the valley before the copies, its depth,"
                + " and the pairs from there on:");
        report.row("", "half", "999/1,000", "valley", "depth", "pairs");
        for (MeasuredShingle measured : tuning.measured()) {
            Valley valley = measured.valley().orElse(null);
            report.row(
                    measured.shingle(),
                    figure("%.2f", measured.half()),
                    figure("%.2f", measured.high()),
                    valley == null ? "-" : figure("%.2f", valley.threshold()),
                    valley == null ? "" : figure("%.0f", valley.depth()),
                    valley == null ? "" : figure("%,.0f", measured.counts().pairsFrom(valley.threshold())),
                    measured == tuning.proposed() ? "<-" : "");
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
                lines.add(format("%4.2f %s %s from here on", edge / 100.0, "-".repeat(16), told));
            }
            double pairs = pairs(counts, from);
            long bar = pairs < 0.5 ? 0 : Math.max(1, Math.round(BAR_MAX * Math.log1p(pairs) / Math.log1p(most)));
            lines.add(format("%4.2f %,15.0f %s", Math.max(0, from) / 100.0, pairs, "#".repeat((int) bar))
                    .stripTrailing());
        }
        return lines;
    }

    private static double pairs(SimilarityCounts counts, int from) {
        return counts.pairs(Math.max(0, from), Math.min(from + BAR_WIDTH, SimilarityCounts.BINS));
    }

    private static void addAlternative(Alternative alternative, TextTable report) {
        report.blank()
                .text(format(
                        "%s at %.2f: %,.0f pairs are duplicates (%d of %d random halves say so or nearly so)",
                        alternative.shingle(),
                        alternative.threshold(),
                        alternative.pairs(),
                        alternative.halves(),
                        Valley.HALVES));
        addExamples(" just below, kept:", alternative.below(), report);
        addExamples(" just above, removed:", alternative.above(), report);
    }

    private static void addExamples(String title, List<PairExample> pairs, TextTable report) {
        report.text(pairs.isEmpty() ? title + " none" : title);
        pairs.forEach(pair -> report.asIs(example(pair)));
    }

    /** The similarity, and both texts where they differ first. */
    private static List<String> example(PairExample pair) {
        List<String> lines = new ArrayList<>(List.of(format("  %.2f", pair.jaccard())));
        lines.addAll(SideBySide.passages(pair.first().text(), pair.second().text(), TEXT_LINES_MAX));
        return lines;
    }

    /** What was found, and what is proposed, in sentences. */
    List<String> finding() {
        List<String> lines = new ArrayList<>();
        tuning.boilerplate().ifPresent(boilerplate -> addBoilerplate(boilerplate, lines));
        lines.add(sentence());
        if (tuning.isTooShort() && tuning.documents() >= Tuning.DOCUMENTS_MIN) {
            lines.add(format(
                    "The texts are short (half of them have %d characters or fewer): copies and look-alikes"
                            + " differ too little to be told apart well.",
                    tuning.typicalCharacters()));
        }
        ShingleFit fit = tuning.proposal();
        lines.add(format(
                tuning.finding() == Finding.PARTED
                        ? "Proposal: %s, duplicates from %s on%s."
                        : "So the convention is kept: %s, duplicates from %s on%s.",
                fit.shingle(),
                fit.threshold(),
                tuning.excluded().isPresent() ? ", without the boilerplate" : ""));
        if (tuning.finding() == Finding.PARTED && fit.isWithoutOrder()) {
            lines.add(withoutOrder(fit));
        }
        return lines;
    }

    /** What to know of a shingle that is {@linkplain ShingleFit#isWithoutOrder without order}. */
    static String withoutOrder(ShingleFit fit) {
        return fit.shingle() + " knows little of the order of words: texts of the same words in another order are"
                + " duplicates by it.";
    }

    private static void addBoilerplate(Boilerplate boilerplate, List<String> lines) {
        lines.add(format(
                "Boilerplate: %.0f %% of the pairs at or above %.2f by %s are held there by shingles that more"
                        + " than %.0f %% of the clusters of similar documents hold (%,.0f pairs, %,.0f without these"
                        + " shingles; counted in %,d documents, %.0f %% of all shingles are such).",
                100 * boilerplate.share(),
                boilerplate.threshold(),
                boilerplate.shingle(),
                100 * BoilerplateCount.DEFAULT_SHARE,
                boilerplate.pairs(),
                boilerplate.left(),
                boilerplate.documents(),
                100 * boilerplate.leftOut()));
        boilerplate.example().ifPresent(pair -> {
            lines.add("For example:");
            lines.addAll(example(pair));
            lines.add(format("  without them %.2f", boilerplate.exampleLeft()));
        });
        lines.add("What is told here is without them.");
    }

    private String sentence() {
        return switch (tuning.finding()) {
            case PARTED -> {
                MeasuredShingle measured = tuning.proposed();
                yield measured.valley()
                        .map(valley -> format(
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
                format(
                        "These are too few documents to tell: %,d, of at least %,d that are needed.",
                        tuning.documents(), Tuning.DOCUMENTS_MIN);
        };
    }

    /** What a proposal costs. */
    static String cost(ShingleFit fit, TuningTargets targets, boolean isWithoutCommon) {
        String cost = format(
                "%d bands x %d rows find a duplicate at the threshold with a chance of %.4f. With %,d documents one is"
                        + " compared with %s others for nothing, with %,d under these bands with %s; it takes %d"
                        + " bytes.",
                fit.banding().bands(),
                fit.banding().rows(),
                fit.recall(),
                fit.indexSize(),
                number(fit.falseCandidates()),
                ShingleFit.LARGE_INDEX,
                number(fit.falseCandidatesOfMany()),
                fit.bytesPerDocument());
        return fit.falseCandidates() <= BandingSolver.FALSE_CANDIDATES_MAX
                ? cost
                : cost
                        + format(
                                " %d hashes cannot bring that down to 1, as some unrelated documents are alike%s.",
                                targets.hashesMax(),
                                isWithoutCommon
                                        ? " without the boilerplate too: raise the threshold, or live with the work"
                                        : ": leave out menus and templates (tune boilerplate), or raise the threshold");
    }

    private static String number(double value) {
        return format(value >= 10 ? "%,.0f" : value >= 0.1 ? "%.1f" : "%.1g", value);
    }

    @Override
    public ObjectNode json() {
        ObjectNode report = Json.of(tuning)
                .put(
                        "boilerplateLeftOut",
                        tuning.excluded().map(BoilerplateShingles::size).orElse(0));
        tuning.boilerplate().ifPresent(found -> report.set("boilerplate", Json.of(found)));
        tuning.excluded().ifPresent(common -> report.withObjectProperty("boilerplate")
                .put("shingles", common.size())
                .put("fingerprint", common.fingerprint()));
        report.set("settings", Json.of(settings().values()));
        return report;
    }
}
