package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.figure;
import static io.neardup.tools.cli.TextTable.format;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.tools.analysis.Answer;
import io.neardup.tools.analysis.AskedTuning;
import io.neardup.tools.analysis.AskedTuning.Proposal;
import io.neardup.tools.analysis.Cuts.Cut;
import io.neardup.tools.analysis.Labels;
import io.neardup.tools.analysis.PairPool;
import io.neardup.tools.analysis.ShingleFit;
import io.neardup.tools.analysis.Tuning;
import io.neardup.tools.analysis.TuningTargets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What people answered, and what is proposed: what the documents alone tell, unless the answers say better. */
final class AskReport implements ReportingCommand.Report {
    private final Interview asked;
    private final PairPool pool;
    private final AskedTuning tuning;
    private final TuningReport alone;
    /** Null where there are too few answers. */
    private final @Nullable Proposal proposal;

    private final boolean isProposed;
    private final ShingleFit fit;

    /**
     * What was asked, and where.
     *
     * @param known what stood in the file before
     * @param outside answers in the file on pairs that are not in the pool
     */
    record Interview(
            int documents,
            boolean isAll,
            Path file,
            @Nullable Labels known,
            int outside) {}

    /** @throws IllegalArgumentException if no banding within the hashes reaches the recall */
    AskReport(Interview asked, PairPool pool, AskedTuning tuning, Tuning alone, TuningTargets targets) {
        this.asked = asked;
        this.pool = pool;
        this.tuning = tuning;
        this.alone = new TuningReport(alone, targets);
        this.proposal = tuning.isEnough() ? tuning.proposal(alone) : null;
        this.isProposed = proposal != null && proposal.tellsEnough();
        this.fit = proposal != null && isProposed
                ? tuning.fit(proposal.best(), alone.documents(), targets)
                : alone.proposal();
    }

    TunedSettings settings() {
        return isProposed ? TunedSettings.of(fit, "From answers on " + tuning.asked() + " pairs.") : alone.proposed();
    }

    @Override
    public TextTable text() {
        TextTable report = new TextTable().blank();
        report.asIs(SkippedText.lines(alone.tuning().rejected()));
        report.text(format(
                "%,d documents of different texts%s; %,d pairs of them %s.",
                asked.documents(),
                asked.isAll() ? "" : ", the first of the file",
                pool.size(),
                pool.isWhole() ? "may be duplicates" : "were drawn, as too many are alike"));
        report.text("Answers are kept in " + asked.file());
        report.text(format(
                "%d answers: %d same, %d other, %d unclear; %d pairs are open.",
                tuning.asked(),
                tuning.judged(Answer.SAME),
                tuning.judged(Answer.OTHER),
                tuning.asked() - tuning.judged(),
                tuning.open()));
        if (asked.known() != null) {
            EvaluationReport.addUnknown(asked.known(), report);
        }
        if (asked.outside() > 0) {
            report.text(format("%d more do not count: their texts are unlike by every shingle.", asked.outside()));
        }
        report.blank();
        if (proposal == null) {
            report.text(format(
                    "To propose from answers takes %d of them, same and other among them.", AskedTuning.ANSWERS_MIN));
        } else {
            addProposal(proposal, report);
        }
        if (!isProposed) {
            report.text("So what counts is what the documents tell without answers:");
            alone.finding().forEach(report::text);
        }
        report.blank().text(TuningReport.cost(fit));
        return report.blank().asIs(settings().lines());
    }

    private void addProposal(Proposal found, TextTable report) {
        report.text("Each shingle at its best threshold, and the F1 to be expected there over all pairs. (Those that"
                + " were asked are no sample: F1 on them alone says little.)");
        for (Cut cut : found.byShingle()) {
            report.row(
                    cut.shingle(),
                    figure("%.2f", cut.threshold()),
                    figure("%.3f", cut.f1()),
                    cut.equals(found.best()) ? "<-" : "");
        }
        Cut best = found.best();
        report.blank()
                .text(format(
                        "%s: %s, duplicates from %s on: %,d pairs.",
                        isProposed ? "Proposal" : "Best by these answers",
                        best.shingle(),
                        best.threshold(),
                        found.pairs()));
        report.text(format(
                "F1 %.2f is expected, with a chance of 90 %% from %.2f to %.2f.",
                best.f1(), found.f1Low(), found.f1High()));
        if (!isProposed) {
            report.text(
                    found.isBetter()
                            ? "That is too little to tell."
                            : "The answers do not say that it is better than what the documents tell alone.");
        } else if (alone.tuning().isTooShort()) {
            report.text("The texts are short: copies and look-alikes differ too little to be sure.");
        }
    }

    @Override
    public ObjectNode json() {
        ObjectNode report = Json.object()
                .put("documents", asked.documents())
                .put("lines", alone.tuning().lines())
                .put("pairs", pool.size())
                .put("isPoolWhole", pool.isWhole())
                .put("indexSize", fit.indexSize())
                .put("isEnough", proposal != null);
        report.set("rejected", Json.array(alone.tuning().rejected()));
        report.putObject("answers")
                .put("file", asked.file().toString())
                .put("same", tuning.judged(Answer.SAME))
                .put("other", tuning.judged(Answer.OTHER))
                .put("unclear", tuning.asked() - tuning.judged())
                .put("open", tuning.open())
                .put("outside", asked.outside())
                .put("unknown", asked.known() == null ? 0 : asked.known().unknown());
        if (proposal != null) {
            report.set("proposal", Json.of(proposal));
            report.set("shingles", Json.array(proposal.byShingle()));
        }
        report.putObject("alone")
                .put("finding", alone.tuning().finding().code())
                .put("shingle", alone.tuning().proposal().shingle())
                .put("threshold", alone.tuning().proposal().threshold());
        report.set("settings", Json.of(settings().values()));
        return report;
    }
}
