package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import com.fasterxml.jackson.databind.ObjectMapper;
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
import io.neardup.tools.analysis.TuningTargets;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What people answered, and what is proposed. */
final class AskReport implements CommandReport {
    private static final ObjectMapper JSON = new ObjectMapper();
    private final Interview asked;
    private final PairPool pool;
    private final AskedTuning tuning;
    private final TuningTargets targets;
    /** Null where there are too few answers, and the convention is kept. */
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

    /** @throws IllegalArgumentException if no banding within the hashes reaches the recall */
    AskReport(Interview asked, PairPool pool, AskedTuning tuning, TuningTargets targets) {
        this.asked = asked;
        this.pool = pool;
        this.tuning = tuning;
        this.targets = targets;
        this.proposal = tuning.isEnough() ? tuning.proposal() : null;
        this.isProposed = proposal != null && proposal.tellsEnough();
        Candidate chosen = proposal != null && isProposed
                ? proposal.best()
                : new Candidate(targets.shingle(), targets.threshold(), Double.NaN);
        this.fit =
                tuning.fit(chosen.shingle(), chosen.threshold(), asked.sample().found(), targets);
    }

    TunedSettings settings() {
        TunedSettings settings = TunedSettings.of(fit, boilerplate(), "From answers on " + tuning.asked() + " pairs.");
        return isProposed ? settings : settings.given(targets.indexSize().isPresent());
    }

    /** What the pairs were measured without; where another shingle is proposed, nothing is left out of that. */
    private Optional<BoilerplateShingles> boilerplate() {
        return Optional.ofNullable(targets.shingling(fit.shingle()).boilerplate());
    }

    @Override
    public void print(PrintWriter output) {
        output.println();
        RejectedText.lines(asked.sample().rejected()).forEach(output::println);
        output.println(text(
                pool.isWhole()
                        ? "%,d documents%s; %,d pairs of them may be duplicates, %,d more have equal texts."
                        : "%,d documents%s; %,d pairs of them were looked at, %,d more have equal texts.",
                asked.documents(),
                asked.sample().isWhole()
                                && asked.documents()
                                        == asked.sample().documents().size()
                        ? ""
                        : ", the first of the file",
                pool.size(),
                pool.equalPairs()));
        printAnswers(output);
        output.println();
        if (proposal == null) {
            output.println(text(
                    "To propose from answers takes %d of them, same and other among them.", AskedTuning.ANSWERS_MIN));
            printConvention(output);
        } else {
            printProposal(proposal, output);
        }
        output.println();
        TuningText.cost(fit, targets, boilerplate().isPresent()).forEach(output::println);
        output.println();
        settings().lines().forEach(output::println);
    }

    private void printAnswers(PrintWriter output) {
        printPool(output);
        output.println("Answers are kept in " + asked.file());
        output.println(text(
                "%d answers: %d same, %d other, %d unclear; %d pairs are open.",
                tuning.asked(),
                tuning.judged(Answer.SAME),
                tuning.judged(Answer.OTHER),
                tuning.asked() - tuning.judged(Answer.SAME) - tuning.judged(Answer.OTHER),
                tuning.open()));
        Labels known = asked.known();
        if (known != null) {
            LabelText.problems(known).forEach(output::println);
        }
        if (asked.outside() > 0) {
            output.println(
                    text("%d more do not count: their texts are equal, or unlike by every shingle.", asked.outside()));
        }
    }

    private void printPool(PrintWriter output) {
        if (!pool.isWhole()) {
            output.println("Too many pairs are alike to compare them all. Looked for were those from:");
            output.println(IntStream.range(0, pool.shingles().size())
                    .filter(pool::isRaised)
                    .mapToObj(shingle -> pool.shingles().get(shingle) + " "
                            + (pool.floor(shingle) < 1 ? text("%.2f", pool.floor(shingle)) : "none"))
                    .collect(Collectors.joining(", ")));
            output.println("If they share a template, leave it out: neardup tune FILE --boilerplate OUT makes the");
            output.println("file for neardup.boilerplate.");
        } else if (pool.size() == 0) {
            output.println("There is nothing to ask: no two different texts are alike.");
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
                isProposed ? without() : "",
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
            output.println("That is too little to tell.");
            printConvention(output);
            return;
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

    private void printConvention(PrintWriter output) {
        output.println(text(
                "So the convention is kept: %s, duplicates from %s on%s.", fit.shingle(), fit.threshold(), without()));
        output.println("Without --ask tune proposes what the documents alone tell.");
    }

    private String without() {
        return boilerplate().isPresent() ? ", without the boilerplate" : "";
    }

    private int judged() {
        return tuning.judged(Answer.SAME) + tuning.judged(Answer.OTHER);
    }

    @Override
    public ObjectNode json() {
        ObjectNode report = JSON.createObjectNode()
                .put("documents", asked.documents())
                .put("lines", asked.sample().lines())
                .put("pairs", pool.size())
                .put("equalPairs", pool.equalPairs())
                .put("isPoolWhole", pool.isWhole())
                .put("indexSize", fit.indexSize());
        report.set("rejected", RejectedText.json(asked.sample().rejected()));
        ObjectNode answers = report.putObject("answers")
                .put("file", asked.file().toString())
                .put("same", tuning.judged(Answer.SAME))
                .put("other", tuning.judged(Answer.OTHER))
                .put("unclear", tuning.asked() - judged())
                .put("open", tuning.open())
                .put("outside", asked.outside());
        Labels known = asked.known();
        answers.put("unknown", known == null ? 0 : known.unknown());
        report.put("isEnough", proposal != null);
        if (proposal != null) {
            put(report, proposal);
        }
        report.set("settings", JSON.valueToTree(settings().values()));
        return report;
    }

    private static void put(ObjectNode report, AskedProposal found) {
        put(report.putObject("proposal"), found.best())
                .put("f1Low", found.f1Low())
                .put("f1High", found.f1High())
                .put("pairs", found.pairs())
                .put("against", found.against())
                .put("stable", found.stable())
                .put("resampled", AskedProposal.RESAMPLES)
                .put("isProposed", found.tellsEnough())
                .put("isStable", found.isStable());
        ArrayNode shingles = report.putArray("shingles");
        found.byShingle().forEach(candidate -> put(shingles.addObject(), candidate));
    }

    private static ObjectNode put(ObjectNode into, Candidate candidate) {
        return into.put("shingle", candidate.shingle())
                .put("threshold", candidate.threshold())
                .put("f1", candidate.f1());
    }
}
