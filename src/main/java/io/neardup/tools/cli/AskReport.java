package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.tools.analysis.Answer;
import io.neardup.tools.analysis.AskedProposal;
import io.neardup.tools.analysis.AskedProposal.Candidate;
import io.neardup.tools.analysis.AskedTuning;
import io.neardup.tools.analysis.DocumentSample;
import io.neardup.tools.analysis.Labels;
import io.neardup.tools.analysis.PairPool;
import io.neardup.tools.analysis.ShingleFit;
import io.neardup.tools.analysis.Tuning;
import io.neardup.tools.analysis.TuningTargets;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What people answered, and what is proposed: what the documents alone tell, unless the answers say better. */
final class AskReport implements CommandReport {
    private final Interview asked;
    private final PairPool pool;
    private final AskedTuning tuning;
    private final TuningReport alone;
    private final TuningTargets targets;
    /** Null where there are too few answers. */
    private final @Nullable AskedProposal proposal;

    private final boolean isProposed;
    private final ShingleFit fit;

    /**
     * What was asked, and where.
     *
     * @param documents of the sample that were compared
     * @param known what stood in the file before
     * @param outside answers in the file on pairs that are not in the pool
     */
    record Interview(
            DocumentSample sample,
            int documents,
            Path file,
            @Nullable Labels known,
            int outside,
            int questionsMax) {}

    /**
     * @param alone what the documents tell without answers
     * @throws IllegalArgumentException if no banding within the hashes reaches the recall
     */
    AskReport(Interview asked, PairPool pool, AskedTuning tuning, Tuning alone, TuningTargets targets) {
        this.asked = asked;
        this.pool = pool;
        this.tuning = tuning;
        this.alone = new TuningReport(alone, targets);
        this.targets = targets;
        this.proposal = tuning.isEnough() ? tuning.proposal(alone) : null;
        this.isProposed = proposal != null && proposal.tellsEnough();
        this.fit = proposal != null && isProposed
                ? tuning.fit(
                        proposal.best().shingle(),
                        proposal.best().threshold(),
                        asked.sample().found(),
                        targets)
                : alone.proposal();
    }

    TunedSettings settings() {
        return isProposed
                ? TunedSettings.of(fit, boilerplate(), "From answers on " + tuning.asked() + " pairs.")
                : alone.proposed();
    }

    /** What the pairs were measured without; where another shingle is proposed, nothing is left out of that. */
    private Optional<BoilerplateShingles> boilerplate() {
        return isProposed
                ? Optional.ofNullable(targets.shingling(fit.shingle()).boilerplate())
                : alone.tuning().excluded();
    }

    @Override
    public void print(PrintWriter output) {
        output.println();
        RejectedText.lines(asked.sample().rejected()).forEach(output::println);
        boolean isAll = asked.sample().isWhole()
                && asked.documents() == asked.sample().documents().size();
        output.println(text(
                pool.isWhole()
                        ? "%,d documents%s; %,d pairs of them may be duplicates, %,d more have equal texts."
                        : "%,d documents%s; %,d pairs of them were looked at, %,d more have equal texts.",
                asked.documents(),
                isAll ? "" : ", the first of the file",
                pool.size(),
                pool.equalPairs()));
        printAnswers(output);
        output.println();
        if (proposal == null) {
            output.println(text(
                    "To propose from answers takes %d of them, same and other among them.", AskedTuning.ANSWERS_MIN));
        } else {
            printProposal(proposal, output);
        }
        if (!isProposed) {
            output.println("So what counts is what the documents tell without answers:");
            alone.finding().forEach(output::println);
        }
        output.println();
        TuningReport.cost(fit, targets, boilerplate().isPresent()).forEach(output::println);
        output.println();
        settings().lines().forEach(output::println);
    }

    private void printAnswers(PrintWriter output) {
        if (!pool.isWhole()) {
            output.println("Too many pairs are alike to compare them all: some were drawn, and stand for others.");
            output.println("If they share a template, leave it out: tune boilerplate FILE --write OUT makes");
            output.println("the file for neardup.boilerplate.");
        } else if (pool.size() == 0) {
            output.println("There is nothing to ask: no two different texts are alike.");
        }
        output.println("Answers are kept in " + asked.file());
        output.println(text(
                "%d answers: %d same, %d other, %d unclear; %d pairs are open.",
                tuning.asked(),
                tuning.judged(Answer.SAME),
                tuning.judged(Answer.OTHER),
                tuning.asked() - judged(),
                tuning.open()));
        if (asked.known() != null) {
            EvaluationReport.problems(asked.known()).forEach(output::println);
        }
        if (asked.outside() > 0) {
            output.println(
                    text("%d more do not count: their texts are equal, or unlike by every shingle.", asked.outside()));
        }
    }

    private void printProposal(AskedProposal found, PrintWriter output) {
        output.println("Each shingle at its best threshold, and the F1 to be expected there over all");
        output.println("pairs. (Those that were asked are no sample: F1 on them alone says little.)");
        for (Candidate candidate : found.byShingle()) {
            output.println(text(
                    "%-11s%5.2f%7.3f%s",
                    candidate.shingle(),
                    candidate.threshold(),
                    candidate.f1(),
                    candidate.equals(found.best()) ? " <-" : ""));
        }
        output.println();
        Candidate best = found.best();
        output.println(text(
                "%s: %s, duplicates from %s on%s: %,d pairs.",
                isProposed ? "Proposal" : "Best by these answers",
                best.shingle(),
                best.threshold(),
                isProposed && boilerplate().isPresent() ? ", without the boilerplate" : "",
                found.pairs()));
        output.println(text(
                "F1 %.2f is expected, with a chance of 90 %% from %.2f to %.2f.",
                best.f1(), found.f1Low(), found.f1High()));
        output.println(text(
                "It contradicts %d of the %d answers. Without a random quarter of them it is",
                found.against(), judged()));
        output.println(text(
                "within %s of the best F1 %d of %d times%s",
                AskedProposal.NEAR,
                found.stable(),
                AskedProposal.RESAMPLES,
                found.isStable()
                        ? "."
                        : ": that is not sure. More answers may help, --ask "
                                + 2 * Math.max(asked.questionsMax(), tuning.asked())));
        if (!isProposed) {
            output.println(
                    found.isBetter()
                            ? "That is too little to tell."
                            : "The answers do not say that it is better than what the documents tell alone.");
            return;
        }
        if (alone.tuning().isTooShort()) {
            output.println("The texts are short: copies and look-alikes differ too little to be sure.");
        }
        if (fit.isWithoutOrder()) {
            output.println(text("%s knows little of the order of words: texts of the same words in", fit.shingle()));
            output.println("another order are duplicates by it.");
        }
        if (targets.shingling().boilerplate() != null && boilerplate().isEmpty()) {
            output.println(text(
                    "neardup.boilerplate was made for %s: without it, or with one for %s.",
                    targets.shingle(), fit.shingle()));
        }
    }

    private int judged() {
        return tuning.judged(Answer.SAME) + tuning.judged(Answer.OTHER);
    }

    @Override
    public ObjectNode json() {
        ObjectNode report = Json.object()
                .put("documents", asked.documents())
                .put("lines", asked.sample().lines())
                .put("pairs", pool.size())
                .put("equalPairs", pool.equalPairs())
                .put("isPoolWhole", pool.isWhole())
                .put("indexSize", fit.indexSize());
        report.set("rejected", RejectedText.json(asked.sample().rejected()));
        report.putObject("answers")
                .put("file", asked.file().toString())
                .put("same", tuning.judged(Answer.SAME))
                .put("other", tuning.judged(Answer.OTHER))
                .put("unclear", tuning.asked() - judged())
                .put("open", tuning.open())
                .put("outside", asked.outside())
                .put("unknown", asked.known() == null ? 0 : asked.known().unknown());
        report.put("isEnough", proposal != null);
        if (proposal != null) {
            report.set("proposal", Json.of(proposal).put("resampled", AskedProposal.RESAMPLES));
            ArrayNode shingles = report.putArray("shingles");
            proposal.byShingle().forEach(candidate -> shingles.add(Json.of(candidate)));
        }
        report.putObject("alone")
                .put("finding", TuningReport.code(alone.tuning().finding()))
                .put("shingle", alone.tuning().proposal().shingle())
                .put("threshold", alone.tuning().proposal().threshold());
        report.set("settings", Json.of(settings().values()));
        return report;
    }
}
