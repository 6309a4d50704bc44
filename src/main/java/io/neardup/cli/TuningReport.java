package io.neardup.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.analysis.DocumentSample;
import io.neardup.analysis.ShingleFit;
import io.neardup.analysis.Tuning;
import io.neardup.analysis.TuningTargets;
import io.neardup.lsh.BandingSolver;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** What was measured on a sample, and what is proposed. */
record TuningReport(DocumentSample sample, Tuning tuning, TuningTargets targets) implements CommandReport {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BINS = 100;

    /** Fewer pairs have not one above what nearly all stay below. */
    private static final int PAIRS_ENOUGH = (int) Math.round(1 / (1 - ShingleFit.NEARLY_ALL));

    TunedSettings settings() {
        return TunedSettings.of(
                tuning.proposal(),
                targets.indexSize(),
                text(
                        "For %,d documents, found at the threshold with a chance of %s.",
                        targets.indexSize(), targets.recall()));
    }

    @Override
    public void print(PrintWriter output) {
        printSample(output);
        output.println();
        output.println("How similar unrelated documents are, by shingle");
        output.println("(" + TuningPlot.LEGEND + ")");
        TuningPlot.lines(tuning.fits()).forEach(output::println);
        output.println();
        printFits(output);
        output.println();
        printProposal(output);
        output.println();
        settings().lines().forEach(output::println);
    }

    private void printSample(PrintWriter output) {
        RejectedText.lines(sample.rejected()).forEach(output::println);
        output.println(text(
                "%,d documents and %,d random pairs of them; %,d more are near-duplicates and set aside.",
                tuning.documents(), tuning.pairs(), tuning.related()));
        if (tuning.pairs() < PAIRS_ENOUGH) {
            output.println(text(
                    "These are few: take a larger file, as %,d pairs and more tell something of rare ones.",
                    PAIRS_ENOUGH));
        }
    }

    private void printFits(PrintWriter output) {
        output.println(
                "Similarity that so many of these pairs do not exceed, and what follows for a document of the index:");
        output.println("           half    99.9 %  threshold  bands x rows  false candidates  bytes");
        for (ShingleFit fit : tuning.fits()) {
            output.println(text(
                    "%-11s%.4f  %.4f  %-11s%-14s%-18s%d%s",
                    fit.shingle(),
                    fit.unrelated().quantile(0.5),
                    fit.unrelatedHigh(),
                    fit.threshold(),
                    fit.banding().bands() + " x " + fit.banding().rows(),
                    number(fit.falseCandidates()) + " +- " + number(fit.falseCandidatesError()),
                    fit.bytesPerDocument(),
                    fit.equals(tuning.proposal()) ? "  <-" : ""));
        }
    }

    private void printProposal(PrintWriter output) {
        ShingleFit fit = tuning.proposal();
        output.println(text(
                "Proposal for %,d documents: %s, duplicates from %s on, %d bands x %d rows.",
                targets.indexSize(),
                fit.shingle(),
                fit.threshold(),
                fit.banding().bands(),
                fit.banding().rows()));
        reasons(fit).forEach(output::println);
        output.println(text(
                "A duplicate at the threshold is found with a chance of %.4f; a document is compared with %s",
                fit.recall(), number(fit.falseCandidates())));
        output.println(text("others for nothing and takes %d bytes of memory.", fit.bytesPerDocument()));
        if (fit.falseCandidates() > BandingSolver.FALSE_CANDIDATES_MAX) {
            output.println(text(
                    "%d hashes cannot bring that down to 1, as some unrelated documents are alike: leave out",
                    targets.hashesMax()));
            output.println("what they share (menus, templates), or raise the threshold.");
        }
    }

    /** Why this shingle. {@code word:1} minds no order of words, and is proposed only where it is alone. */
    private List<String> reasons(ShingleFit fit) {
        String within = text(
                "99.9 %% of the unrelated pairs are at most at %.4f, a fifth of the threshold or less.",
                fit.unrelatedHigh());
        if (tuning.fits().size() == 1) {
            return List.of(
                    fit.isTellingApart()
                            ? within
                            : text("99.9 %% of the unrelated pairs are at most at %.4f.", fit.unrelatedHigh()),
                    text("No other shingle reaches the recall within %d hashes.", targets.hashesMax()));
        }
        return fit.isTellingApart()
                ? List.of(
                        within,
                        "Of the shingles of which that is true, and that mind the order of words, it is the one that a",
                        "replaced word breaks least of.")
                : List.of(
                        "No shingle that minds the order of words keeps 99.9 % of the unrelated pairs within"
                                + " a fifth of",
                        "its threshold. Of these, this one lets the fewest false candidates through.");
    }

    @Override
    public ObjectNode json() {
        ObjectNode report = JSON.createObjectNode()
                .put("documents", tuning.documents())
                .put("lines", sample.lines())
                .put("pairs", tuning.pairs())
                .put("related", tuning.related())
                .put("indexSize", targets.indexSize());
        report.set("rejected", RejectedText.json(sample.rejected()));
        ArrayNode shingles = report.putArray("shingles");
        tuning.fits().forEach(fit -> shingles.add(json(fit)));
        report.set("proposal", json(tuning.proposal()));
        report.set("settings", JSON.valueToTree(settings().values()));
        return report;
    }

    private static ObjectNode json(ShingleFit fit) {
        ObjectNode figures = JSON.createObjectNode()
                .put("shingle", fit.shingle())
                .put("threshold", fit.threshold())
                .put("half", fit.unrelated().quantile(0.5))
                .put("high", fit.unrelatedHigh())
                .put("highest", fit.unrelated().quantile(1))
                .put("bands", fit.banding().bands())
                .put("rows", fit.banding().rows())
                .put("recall", fit.recall())
                .put("falseCandidates", fit.falseCandidates())
                .put("falseCandidatesError", fit.falseCandidatesError())
                .put("bytesPerDocument", fit.bytesPerDocument());
        figures.set("histogram", JSON.valueToTree(fit.unrelated().histogram(BINS)));
        return figures;
    }

    private static String number(double value) {
        return text(value >= 10 ? "%,.0f" : value >= 0.1 ? "%.1f" : "%.1g", value);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
