package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.format;

import io.neardup.record.Document;
import io.neardup.record.Printable;
import io.neardup.tools.analysis.Answer;
import io.neardup.tools.analysis.AskedTuning;
import io.neardup.tools.analysis.PairPool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks one question after the other, with the texts side by side in 79 columns, and keeps each answer at once. Where
 * the input ends, the next questions are written into the file as open ones, to be answered there. It can be stopped at
 * any time.
 */
final class Asking {
    private static final String QUIT = "q";
    private static final int LINES_MAX = 14;
    /** Characters of an id that fit, if they are wide too. */
    private static final int ID_MAX = 19;

    /** Shown beside the shingle of the settings. */
    private static final List<String> USUAL = List.of("char:4", "char:9", "word:1", "word:3");

    private final PairPool pool;
    private final List<Document> documents;
    private final Set<String> shingles;
    private final AskedTuning tuning;
    private final AnswersFile file;
    private final PrintWriter output;

    /** @param shingle of the settings */
    Asking(
            PairPool pool,
            List<Document> documents,
            String shingle,
            AskedTuning tuning,
            AnswersFile file,
            PrintWriter output) {
        this.pool = pool;
        this.documents = documents;
        this.shingles = new LinkedHashSet<>(List.of(shingle));
        this.shingles.addAll(USUAL);
        this.tuning = tuning;
        this.file = file;
        this.output = output;
    }

    /** @param questionsMax answers in all, those that were there before included */
    void ask(int questionsMax, InputStream replies) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(replies, StandardCharsets.UTF_8));
        boolean goesOn = true;
        while (goesOn && tuning.asked() < questionsMax) {
            OptionalInt next = tuning.next();
            goesOn = next.isPresent() && ask(next.getAsInt(), questionsMax, lines);
        }
    }

    /** Whether to go on. */
    private boolean ask(int pair, int questionsMax, BufferedReader lines) throws IOException {
        show(pair, tuning.asked() + 1, questionsMax);
        output.print("same or other? (s, o, ? cannot say, q stop) ");
        output.flush();
        String reply = reply(lines);
        if (reply == null) {
            leaveOpen(pair, questionsMax);
            return false;
        }
        if (reply.equals(QUIT)) {
            return false;
        }
        // To a person who is asked, a question mark means that it cannot be said.
        keep(pair, Answer.of(reply).filter(answer -> answer != Answer.OPEN).orElse(Answer.UNCLEAR));
        return true;
    }

    private void show(int pair, int number, int numberMax) {
        StringBuilder similarities = new StringBuilder();
        for (String shingle : shingles) {
            similarities.append(
                    format("  %s %.2f", shingle, pool.similarity(pool.shingles().indexOf(shingle), pair)));
        }
        Document first = documents.get(pool.first(pair));
        Document second = documents.get(pool.second(pair));
        output.println();
        output.println("Pair " + number + " of " + numberMax + ":" + similarities);
        if (Math.max(first.id().length(), second.id().length()) <= ID_MAX) {
            SideBySide.row(first.id(), second.id()).forEach(output::println);
        } else {
            // Whole, so that a program can tell which pair is asked.
            output.println("left   " + Printable.of(first.id()));
            output.println("right  " + Printable.of(second.id()));
        }
        output.println(SideBySide.rule());
        SideBySide.passages(first.text().decode(), second.text().decode(), LINES_MAX)
                .forEach(output::println);
        output.flush();
    }

    private synchronized void keep(int pair, Answer answer) throws IOException {
        file.add(documents.get(pool.first(pair)), documents.get(pool.second(pair)), answer);
        tuning.take(pair, answer);
    }

    /** The next line that is an answer; null at the end of the input. */
    private @Nullable String reply(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        while (line != null) {
            String reply = line.strip().toLowerCase(Locale.ROOT);
            if (reply.equals(QUIT) || (!reply.isEmpty() && Answer.of(reply).isPresent())) {
                return reply;
            }
            output.print("expected s, o, ? or q, found " + (reply.isEmpty() ? "nothing" : Printable.of(reply)) + ": ");
            output.flush();
            line = lines.readLine();
        }
        return null;
    }

    /** Leaves the pair that is asked, and more of a round, to be answered in the file; all of them are shown. */
    private void leaveOpen(int asked, int questionsMax) throws IOException {
        if (!tuning.isOpen(asked)) {
            keep(asked, Answer.OPEN);
        }
        int number = tuning.asked() + 1;
        for (int pair : tuning.round(questionsMax)) {
            keep(pair, Answer.OPEN);
            show(pair, ++number, questionsMax);
        }
        output.println();
        output.println("The input has ended. " + tuning.open() + " pairs stand with ? in " + file.path());
        output.println("Put same or other in its place and call again. The next pairs follow from that.");
        output.flush();
    }

    /** Says where the answers are, when the process is told to stop; one that is being written is there before. */
    synchronized void stop() {
        output.println();
        output.println("Stopped. " + tuning.asked() + " answers are kept in " + file.path());
        output.println("Call the same again to go on.");
        output.flush();
    }
}
