package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.cut;
import static io.neardup.tools.cli.TextTable.figure;
import static io.neardup.tools.cli.TextTable.format;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.engine.similarity.Valley;
import io.neardup.tools.analysis.MeasuredShingle;
import io.neardup.tools.analysis.ShingleFit;
import io.neardup.tools.analysis.SimilarityCounts;
import io.neardup.tools.analysis.Tuner;
import io.neardup.tools.analysis.Tuning;
import io.neardup.tools.analysis.Tuning.Alternative;
import io.neardup.tools.analysis.Tuning.Boilerplate;
import io.neardup.tools.analysis.Tuning.Finding;
import io.neardup.tools.analysis.Tuning.PairExample;
import io.neardup.tools.analysis.TuningTargets;
import io.neardup.tools.feed.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What was measured on documents, and what is proposed. */
record TuningReport(Tuning tuning, TuningTargets targets) implements TunedSettings.Report {
    /** Hundredths of a bar of the plot, and its length at the most. */
    private static final int BAR_WIDTH = 4;

    private static final int BAR_MAX = 50;
    private static final int TEXT_LINES_MAX = 3;

    /** Reads the documents, and more than once; measures, and proposes. */
    static TuningReport of(
            RereadInput input, NeardupConfig config, TuningTargets targets, int documentsMax, Progress progress)
            throws IOException {
        Tuning tuning;
        try {
            tuning = new Tuner(() -> input.open(config), targets, documentsMax, progress).tune();
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw Failures.heapTooSmall("The documents", e);
        }
        if (tuning.documents() == 0) {
            throw new IOException(input.names() + ": expected documents, found none in " + tuning.lines() + " lines"
                    + SkippedText.noDocuments(tuning.rejected()));
        }
        return new TuningReport(tuning, targets);
    }

    /** What of them is for an index that is made with them. */
    @Override
    public TunedSettings proposed() {
        ShingleFit fit = tuning.proposal();
        TunedSettings tuned = TunedSettings.of(
                fit,
                format(
                        "For %,d documents, found at the threshold with a chance of %s.",
                        fit.indexSize(), targets.recall()));
        return isParted() ? tuned : tuned.keptSettings(targets.indexSize().isPresent());
    }

    private boolean isParted() {
        return tuning.finding() == Finding.PARTED;
    }

    @Override
    public TextTable text() {
        ShingleFit fit = tuning.proposal();
        TextTable report = new TextTable();
        report.asIs(SkippedText.lines(tuning.rejected()));
        report.text(format(
                "%,d documents; %,d of %,d pairs of them were compared.",
                tuning.documents(), tuning.compared(), tuning.pairs()));
        report.blank();
        addShingles(report);
        report.blank().text("Pairs by their similarity in " + fit.shingle() + " (bars on a logarithmic scale):");
        report.asIs(plot(tuning.proposed().counts(), fit.threshold())).blank();
        finding().forEach(report::text);
        tuning.alternatives().stream()
                .limit(isParted() ? 1 : Long.MAX_VALUE)
                .forEach(alternative -> addAlternative(alternative, report));
        if (isParted()) { // Else the service solves bands and rows for another size.
            report.blank().text(cost(fit));
        }
        return report.blank().asIs(proposed().lines());
    }

    private void addShingles(TextTable report) {
        report.text(
                "The similarities that half and 999 of 1,000 pairs stay below; the valley before the copies, its depth,"
                        + " and the pairs at or above it:");
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
     * hundredths, which grows with their logarithm, and a rule at the threshold. Bars begin at the hundredth of the
     * threshold, from which on duplicates are counted.
     */
    static List<String> plot(SimilarityCounts counts, double threshold) {
        List<String> lines = new ArrayList<>();
        int edge = SimilarityCounts.bin(threshold);
        for (int from = edge % BAR_WIDTH - BAR_WIDTH; from < SimilarityCounts.BINS; from += BAR_WIDTH) {
            if (from == edge) {
                lines.add(format("%4.2f ---------------- threshold %s", edge / 100.0, threshold));
            }
            double pairs = counts.pairs(Math.max(0, from), Math.min(from + BAR_WIDTH, SimilarityCounts.BINS));
            long bar = Math.round(BAR_MAX * Math.log1p(pairs) / Math.log1p(counts.pairs()));
            if (from + BAR_WIDTH > 0) {
                lines.add(format("%4.2f %,15.0f %s", Math.max(0, from) / 100.0, pairs, "#".repeat((int) bar))
                        .stripTrailing());
            }
        }
        return lines;
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

    /** The similarity, and both texts where they differ first. */
    private static void addExamples(String title, List<PairExample> pairs, TextTable report) {
        report.text(pairs.isEmpty() ? title + " none" : title);
        pairs.forEach(pair -> report.text("  " + cut(pair.jaccard(), 2))
                .asIs(SideBySide.passages(pair.first().text(), pair.second().text(), TEXT_LINES_MAX)));
    }

    /** What was found, and what is proposed, in sentences. */
    List<String> finding() {
        List<String> lines = new ArrayList<>(List.of(sentence()));
        if (tuning.isTooShort() && tuning.documents() >= Tuning.DOCUMENTS_MIN) {
            lines.add(format(
                    "The texts are short (half of them have %d characters or fewer): copies and look-alikes"
                            + " differ too little to be told apart well.",
                    tuning.typicalCharacters()));
        }
        lines.add(format(
                isParted()
                        ? "Proposal: %s, duplicates from %s on."
                        : "So the settings stay: %s, duplicates from %s on.",
                tuning.proposal().shingle(),
                tuning.proposal().threshold()));
        return lines;
    }

    private String sentence() {
        return switch (tuning.finding()) {
            case PARTED -> {
                MeasuredShingle measured = tuning.proposed();
                Valley valley = measured.valley().orElseThrow();
                yield format(
                        "Copies and unrelated documents separate: by %s the pairs fall from the unrelated to a valley"
                                + " around %.2f and rise again to the copies around %.2f.",
                        measured.shingle(), valley.threshold(), valley.copies());
            }
            case UNSURE -> "It is not clear where copies begin.";
            case BOILERPLATE -> {
                Boilerplate held = Objects.requireNonNull(tuning.boilerplate());
                yield format(
                        "Boilerplate alone, shingles that many unlike documents hold, makes %s %% of the similar"
                                + " pairs similar. Exclude it: neardup tune boilerplate FILE --write OUT, then tune"
                                + " with --set neardup.boilerplate=OUT.",
                        cut(100 * held.share(), 0));
            }
            case NO_VALLEY ->
                "There are copies, but no shingle shows a valley between them and the unrelated, as where texts are"
                        + " made from a template.";
            case EXACT_COPIES -> "The copies are nearly equal: any threshold below them finds the same.";
            case NO_COPIES -> "No two of the documents are alike: there are no copies to find a threshold by.";
            case ALL_ALIKE ->
                "Nearly all documents are alike: there is nothing unrelated to tell copies from. If they share a"
                        + " template, exclude it: neardup tune boilerplate FILE --write OUT.";
            case TOO_FEW ->
                format(
                        "These are too few documents to tell: %,d, of at least %,d that are needed.",
                        tuning.documents(), Tuning.DOCUMENTS_MIN);
        };
    }

    static String cost(ShingleFit fit) {
        return format(
                "%d bands x %d rows find a duplicate at the threshold with a chance of %s. In an index of %,d"
                        + " documents each is compared with %.3g unrelated ones and takes up to %d bytes of memory.",
                fit.banding().bands(),
                fit.banding().rows(),
                cut(fit.recall(), 4),
                fit.indexSize(),
                fit.falseCandidates(),
                fit.bytesPerDocument());
    }

    @Override
    public ObjectNode json() {
        return Json.of(tuning).putPOJO("settings", proposed().values());
    }
}
