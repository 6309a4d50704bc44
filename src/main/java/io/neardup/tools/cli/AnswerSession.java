package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.cut;
import static io.neardup.tools.cli.TextTable.figure;
import static io.neardup.tools.cli.TextTable.format;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NormalizedText;
import io.neardup.record.Document;
import io.neardup.record.Printable;
import io.neardup.tools.analysis.Answer;
import io.neardup.tools.analysis.AskedTuning;
import io.neardup.tools.analysis.AskedTuning.Proposal;
import io.neardup.tools.analysis.Choices.Choice;
import io.neardup.tools.analysis.DocumentLines;
import io.neardup.tools.analysis.DocumentSample;
import io.neardup.tools.analysis.Labels;
import io.neardup.tools.analysis.PairPool;
import io.neardup.tools.analysis.ShingleFit;
import io.neardup.tools.analysis.Tuning;
import io.neardup.tools.analysis.TuningTargets;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks about pairs of a file, one after the other, with the texts side by side in 79 columns, and proposes from the
 * answers. Each answer is kept at once, in a file of a line a pair, two ids and the answer with tabs between, as
 * {@link Labels} reads them; nothing that stands in it is changed. So it can be stopped at any time and gone on with.
 * Where the input ends, the next questions are written into the file as open ones, to be answered there.
 */
final class AnswerSession {
    static final int QUESTIONS_MAX = 10_000;
    /** Of larger files the first. */
    static final int DOCUMENTS_MAX = 20_000;

    /** Bytes of the first documents: their shingle hashes take eight times as many. */
    private static final long BYTES_MAX = 1 << 23;

    private static final String QUIT = "q";
    private static final int LINES_MAX = 14;
    private static final String HEADER = "# What people say of two documents: same, other, unclear, or ? for not"
            + " answered yet.\n# Fill in the answers after the ids, with tabs between.\n";

    private final Options options;
    private final TuningTargets targets;
    private final List<Document> documents;
    private final boolean isAll;
    /** What stood in the file before. */
    private final @Nullable Labels known;

    private final PairPool pool;
    private final AskedTuning tuning;
    /** Answers in the file on pairs that are not in the pool. */
    private final int outside;

    /**
     * @param answers where they are kept, which may be missing
     * @param questionsMax answers in all, those that stand in the file included
     * @param documentsMax of these the first are taken, if they are not too many
     * @param output of what is asked
     */
    record Options(Path answers, int questionsMax, int documentsMax, PrintWriter output) {}

    /** Looks for pairs to ask about, and takes the answers that are there. */
    private AnswerSession(
            Options options, RereadInput input, NeardupConfig config, TuningTargets targets, ProgressLines progress)
            throws IOException {
        this.options = options;
        this.targets = targets;
        DocumentSample sample;
        try (DocumentLines lines = input.open(config)) {
            // Copies are often near each other: a part of the file has more of them than a draw of single documents.
            sample = DocumentSample.first(Math.min(options.documentsMax, DOCUMENTS_MAX), BYTES_MAX, lines, progress);
        }
        this.isAll = sample.isWhole();
        this.documents = askable(sample.documents(), config.shingling().letterCase());
        this.known = Files.exists(options.answers) ? Labels.of(options.answers, documents) : null;
        if (known != null && known.hasOnlyUnknownIds()) {
            throw new IOException(options.answers + ": expected answers on pairs of " + input.names()
                    + ", found ids of other documents alone; give another --answers file");
        }
        this.pool = new PairPool(documents, targets, progress);
        this.tuning = new AskedTuning(pool);
        this.outside = known == null ? 0 : tuning.take(known);
    }

    /** @throws IOException if a file cannot be read or written, or no bands and rows reach the recall */
    static Report report(
            Options options,
            RereadInput input,
            InputStream replies,
            NeardupConfig config,
            TuningTargets targets,
            ProgressLines progress)
            throws IOException {
        AnswerSession session = new AnswerSession(options, input, config, targets, progress);
        progress.end();
        session.ask(new BufferedReader(new InputStreamReader(replies, StandardCharsets.UTF_8)));
        // What the documents say without answers is kept unless the answers say better.
        TuningReport alone = TuningReport.of(input, config, targets, options.documentsMax, progress);
        try {
            return session.new Report(alone);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** The first document of each text, and of each id that can stand between tabs as it is. */
    private static List<Document> askable(List<Document> documents, LetterCase letterCase) {
        Set<String> ids = new HashSet<>();
        Set<String> texts = new HashSet<>();
        return documents.stream()
                .filter(document -> isPlain(document.id())
                        && ids.add(document.id())
                        && texts.add(NormalizedText.of(document.text().decode(), letterCase)))
                .toList();
    }

    private static boolean isPlain(String id) {
        return !id.isEmpty()
                && id.equals(id.strip())
                && !id.startsWith("#")
                && id.chars().noneMatch(Character::isISOControl)
                && StandardCharsets.UTF_8.newEncoder().canEncode(id);
    }

    private void ask(BufferedReader replies) throws IOException {
        boolean goesOn = true;
        while (goesOn && tuning.asked() < options.questionsMax) {
            OptionalInt next = tuning.next();
            goesOn = next.isPresent() && ask(next.getAsInt(), replies);
        }
    }

    private boolean ask(int pair, BufferedReader replies) throws IOException {
        show(pair, tuning.asked() + 1);
        options.output.print("same or other? (s, o, ? cannot say, q stop) ");
        options.output.flush();
        String reply = reply(replies);
        if (reply == null) {
            leaveOpen(pair);
        } else if (!reply.equals(QUIT)) {
            // To a person who is asked, a question mark means that it cannot be said.
            keep(pair, Answer.of(reply).filter(answer -> answer != Answer.OPEN).orElse(Answer.UNCLEAR));
            return true;
        }
        return false;
    }

    private void show(int pair, int number) {
        Document first = documents.get(pool.first(pair));
        Document second = documents.get(pool.second(pair));
        double similarity = pool.similarity(pool.shingles().indexOf(targets.shingle()), pair);
        PrintWriter output = options.output;
        output.println();
        output.println(
                format("Pair %d of %d:  %s %s", number, options.questionsMax, targets.shingle(), cut(similarity, 2)));
        // Whole, so that a program can tell which pair is asked.
        output.println("left   " + Printable.of(first.id()));
        output.println("right  " + Printable.of(second.id()));
        output.println(SideBySide.rule());
        SideBySide.passages(first.text().decode(), second.text().decode(), LINES_MAX)
                .forEach(output::println);
        output.flush();
    }

    /** The next line that is an answer; null at the end of the input. */
    private @Nullable String reply(BufferedReader replies) throws IOException {
        for (String line = replies.readLine(); line != null; line = replies.readLine()) {
            String reply = line.strip().toLowerCase(Locale.ROOT);
            if (reply.equals(QUIT) || (!reply.isEmpty() && Answer.of(reply).isPresent())) {
                return reply;
            }
            options.output.print(
                    "expected s, o, ? or q, found " + (reply.isEmpty() ? "nothing" : Printable.of(reply)) + ": ");
            options.output.flush();
        }
        return null;
    }

    private void keep(int pair, Answer answer) throws IOException {
        Path file = options.answers;
        String kept = Files.exists(file) ? Files.readString(file) : HEADER;
        // Who has written the last line may have left its end out.
        String end = kept.isEmpty() || kept.endsWith("\n") ? "" : "\n";
        String line = documents.get(pool.first(pair)).id() + "\t"
                + documents.get(pool.second(pair)).id() + "\t" + answer.word() + "\n";
        String before = Files.exists(file) ? end : HEADER;
        Files.writeString(file, before + line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        tuning.take(pair, answer);
    }

    /** Leaves the pair that is asked, and more of a round, to be answered in the file; all of them are shown. */
    private void leaveOpen(int asked) throws IOException {
        if (!tuning.isOpen(asked)) {
            keep(asked, Answer.OPEN);
        }
        int number = tuning.asked() + 1;
        for (int pair : tuning.round(options.questionsMax)) {
            keep(pair, Answer.OPEN);
            show(pair, ++number);
        }
        options.output.println();
        options.output.println("The input has ended. " + tuning.open() + " pairs stand with ? in " + options.answers);
        options.output.println("Put same or other in its place and call again. The next pairs follow from that.");
        options.output.flush();
    }

    /** What people answered, and what is proposed: what the documents alone tell, unless the answers say better. */
    final class Report implements TunedSettings.Report {
        private final TuningReport alone;
        /** Null where there are too few answers. */
        private final @Nullable Proposal proposal;

        private final boolean isProposed;
        private final ShingleFit fit;

        /** @throws IllegalArgumentException if no banding within the hashes reaches the recall */
        private Report(TuningReport alone) {
            Tuning found = alone.tuning();
            this.alone = alone;
            this.proposal = tuning.isEnough() ? tuning.proposal(found) : null;
            this.isProposed = proposal != null && proposal.tellsEnough();
            this.fit = proposal != null && isProposed
                    ? tuning.fit(proposal.best(), found.documents(), targets)
                    : found.proposal();
        }

        @Override
        public TunedSettings proposed() {
            return isProposed
                    ? TunedSettings.of(fit, "From answers on " + tuning.asked() + " pairs.")
                    : alone.proposed();
        }

        @Override
        public TextTable text() {
            TextTable report = new TextTable().blank();
            report.asIs(SkippedText.lines(alone.tuning().rejected()));
            report.text(format(
                    "%,d documents of different texts%s; %,d pairs of them may be duplicates.",
                    documents.size(), isAll ? "" : ", the first of the file", pool.size()));
            report.text("Answers are kept in " + options.answers);
            report.text(format(
                    "%d answers: %d same, %d other, %d unclear; %d pairs are open.",
                    tuning.asked(),
                    tuning.judged(Answer.SAME),
                    tuning.judged(Answer.OTHER),
                    tuning.asked() - tuning.judged(),
                    tuning.open()));
            if (known != null) {
                SkippedText.addUnknown(known, report);
            }
            if (outside > 0) {
                report.text(format(
                        "%d more do not count: their pairs are not among those that may be duplicates.", outside));
            }
            report.blank();
            if (proposal == null) {
                report.text(format(
                        "A proposal from answers needs %d of them, both same and other.", AskedTuning.ANSWERS_MIN));
            } else {
                addProposal(proposal, report);
            }
            if (!isProposed) {
                report.text("So the proposal without answers stands:");
                alone.finding().forEach(report::text);
            }
            report.blank().text(TuningReport.cost(fit));
            return report.blank().asIs(proposed().lines());
        }

        private void addProposal(Proposal found, TextTable report) {
            report.text("Each shingle at its best threshold, and the F1 to be expected there over all pairs. (Those"
                    + " that were asked are no sample: F1 on them alone says little.)");
            Choice best = found.best();
            found.byShingle()
                    .forEach(choice -> report.row(
                            choice.shingle(),
                            figure("%.2f", choice.threshold()),
                            figure("%.3f", choice.f1()),
                            choice.equals(best) ? "<-" : ""));
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
            Tuning found = alone.tuning();
            ObjectNode report = Json.object()
                    .put("documents", documents.size())
                    .put("lines", found.lines())
                    .put("pairs", pool.size())
                    .put("indexSize", fit.indexSize())
                    .put("isEnough", proposal != null)
                    .putPOJO("rejected", found.rejected());
            report.putObject("answers")
                    .put("file", options.answers.toString())
                    .put("same", tuning.judged(Answer.SAME))
                    .put("other", tuning.judged(Answer.OTHER))
                    .put("unclear", tuning.asked() - tuning.judged())
                    .put("open", tuning.open())
                    .put("outside", outside)
                    .put("unknown", known == null ? 0 : known.unknown());
            if (proposal != null) {
                report.putPOJO("proposal", proposal).putPOJO("shingles", proposal.byShingle());
            }
            report.putObject("alone")
                    .put("finding", found.finding().code())
                    .put("shingle", found.proposal().shingle())
                    .put("threshold", found.proposal().threshold());
            return report.putPOJO("settings", proposed().values());
        }
    }
}
