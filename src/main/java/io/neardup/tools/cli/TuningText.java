package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import io.neardup.engine.lsh.BandingSolver;
import io.neardup.tools.analysis.Boilerplate;
import io.neardup.tools.analysis.BoilerplateAge;
import io.neardup.tools.analysis.BoilerplateCount;
import io.neardup.tools.analysis.Finding;
import io.neardup.tools.analysis.MeasuredShingle;
import io.neardup.tools.analysis.ShingleFit;
import io.neardup.tools.analysis.Tuning;
import io.neardup.tools.analysis.TuningTargets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a tuning found, in sentences. */
final class TuningText {
    /** A size that most feeds come to. */
    static final long LARGE_INDEX = 10_000_000;

    private TuningText() {}

    /** The name of a finding for programs, such as {@code no-copies}. */
    static String code(Finding finding) {
        return finding.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What was found, and what is proposed. */
    static List<String> finding(Tuning tuning) {
        List<String> lines = new ArrayList<>();
        tuning.boilerplate().ifPresent(boilerplate -> lines.addAll(boilerplate(boilerplate, tuning)));
        tuning.age().filter(BoilerplateAge::isOld).ifPresent(age -> lines.add(old(age)));
        lines.add(sentence(tuning));
        if (tuning.isTooShort() && tuning.documents() >= Tuning.DOCUMENTS_MIN) {
            lines.add(text(
                    "The texts are short (half of them have %d characters or fewer): copies and look-alikes"
                            + " differ too little to be told apart well.",
                    tuning.typicalCharacters()));
        }
        ShingleFit fit = tuning.proposal();
        String without = tuning.excluded().isPresent() ? ", without the boilerplate" : "";
        lines.add(text(
                tuning.finding() == Finding.PARTED
                        ? "Proposal: %s, duplicates from %s on%s."
                        : "So the convention is kept: %s, duplicates from %s on%s.",
                fit.shingle(),
                fit.threshold(),
                without));
        if (tuning.finding() == Finding.PARTED && fit.isWithoutOrder()) {
            lines.add(text(
                    "%s knows little of the order of words: texts of the same words in another order are"
                            + " duplicates by it.",
                    fit.shingle()));
        }
        return lines;
    }

    /** What was left out for want of time or memory. */
    static List<String> bounds(Tuning tuning) {
        List<String> lines = new ArrayList<>();
        switch (tuning.askerBound()) {
            case WORK -> lines.add("To compare more would take too long.");
            case MEMORY -> lines.add("The texts are long: to compare more would take too much memory.");
            case NONE -> {}
        }
        if (tuning.isSampled()) {
            lines.add(
                    "Of long texts a random sample of the shingles is compared: similarities of two of them are within"
                            + " .01 (standard deviation), of a short one and another less exact.");
        }
        return lines;
    }

    private static List<String> boilerplate(Boilerplate boilerplate, Tuning tuning) {
        List<String> lines = new ArrayList<>();
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
            lines.addAll(PairText.lines(
                    pair.jaccard(),
                    tuning.texts().apply(pair.first()).text(),
                    tuning.texts().apply(pair.second()).text()));
            lines.add(text("        without them %.2f", boilerplate.exampleLeft()));
        });
        lines.add("What is told here is without them.");
        return lines;
    }

    private static String old(BoilerplateAge age) {
        return text(
                "The boilerplate file has grown old: %,d of the %,d shingles that are common today are not in"
                        + " it, %.0f %% by the clusters that hold them. Make it anew: tune FILE --boilerplate OUT.",
                age.missing(), age.boilerplate(), 100 * age.missingShare());
    }

    private static String sentence(Tuning tuning) {
        return switch (tuning.finding()) {
            case PARTED -> parted(tuning);
            case UNSURE ->
                "It is not sure where the documents part: choose from what is listed, or keep the convention.";
            case NO_VALLEY ->
                "There are copies, but no shingle shows a valley between them and the unrelated: similarity"
                        + " falls evenly, as where texts are made from a template.";
            case EXACT_COPIES -> "The copies are nearly equal: any threshold below them finds the same.";
            case NO_COPIES -> "No two of the documents are alike: there are no copies to find a threshold by.";
            case ALL_ALIKE ->
                "Nearly all documents are alike: there is nothing unrelated to tell copies from. If they share a"
                        + " template, leave that out: neardup tune FILE --boilerplate OUT.";
            case ALL_EQUAL -> "All documents are equal: there is nothing to tell copies from.";
            case TOO_FEW ->
                text(
                        "These are too few documents to tell: %,d, of at least %,d that are needed.",
                        tuning.documents(), Tuning.DOCUMENTS_MIN);
        };
    }

    private static String parted(Tuning tuning) {
        MeasuredShingle measured = tuning.proposed();
        return measured.valley()
                .map(valley -> text(
                        "The documents part: by %s the pairs fall from the unrelated to a valley around %.2f and rise"
                                + " again to the copies around %.2f.",
                        measured.shingle(), valley.threshold(), valley.copies()))
                .orElseThrow();
    }

    /**
     * What the proposal costs.
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
                            : "leave out menus and templates (tune FILE --boilerplate OUT), or raise the threshold.");
        }
        return lines;
    }

    private static String number(double value) {
        return text(value >= 10 ? "%,.0f" : value >= 0.1 ? "%.1f" : "%.1g", value);
    }
}
