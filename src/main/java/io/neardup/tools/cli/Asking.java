package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.format;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NormalizedText;
import io.neardup.record.Document;
import io.neardup.record.Printable;
import io.neardup.tools.analysis.Answer;
import io.neardup.tools.analysis.AskedTuning;
import io.neardup.tools.analysis.DocumentLines;
import io.neardup.tools.analysis.DocumentSample;
import io.neardup.tools.analysis.Labels;
import io.neardup.tools.analysis.PairPool;
import io.neardup.tools.analysis.Tuner;
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
final class Asking {
    static final int QUESTIONS_MAX = 10_000;
    /** Of larger files the first. */
    static final int DOCUMENTS_MAX = 20_000;

    /** Bytes of the first documents: their shingle hashes take eight times as many. */
    private static final long BYTES_MAX = 1 << 23;

    private static final String QUIT = "q";
    private static final int LINES_MAX = 14;
    private static final String HEADER = "# What people say of two documents: same, other, unclear, or ? for not"
            + " answered yet.\n# Fill in the answers behind the ids, with tabs between.\n";

    private final String file;
    private final int questionsMax;
    private final NeardupConfig config;
    private final TuningTargets targets;
    private final Path answers;
    private final PrintWriter output;

    /**
     * Nothing is asked yet.
     *
     * @param answers where they are kept, which may be missing
     * @param questionsMax answers in all, those that stand in the file included
     * @throws IllegalArgumentException as for {@link ToolCommand#comparingShingles}
     */
    Asking(String file, Path answers, int questionsMax, Settings settings, PrintWriter output) {
        this.file = file;
        this.answers = answers;
        this.questionsMax = questionsMax;
        this.config = ToolCommand.comparingShingles("tune FILE --ask", NeardupConfig.of(settings));
        this.targets = TuningTargets.of(settings, config);
        this.output = output;
    }

    /**
     * Asks and proposes.
     *
     * @param documentsMax of these the first are taken, if they are not too many
     * @param standardInput the documents if the file is {@code -}, else the answers
     * @throws IOException if a file cannot be read or written, or no bands and rows reach the recall
     */
    AskReport report(int documentsMax, InputStream standardInput, ProgressLines progress) throws IOException {
        InputStream replies = file.equals("-") ? InputStream.nullInputStream() : standardInput;
        try (RereadInput input = new RereadInput(List.of(file), standardInput)) {
            return report(documentsMax, input, replies, progress);
        }
    }

    private AskReport report(int documentsMax, RereadInput input, InputStream replies, ProgressLines progress)
            throws IOException {
        DocumentSample sample = sample(documentsMax, input, progress);
        List<Document> documents =
                askable(sample.documents(), config.shingling().letterCase());
        Labels known = Files.exists(answers) ? Labels.of(answers, documents) : null;
        if (known != null && known.nameOthersAlone()) {
            throw new IOException(answers + ": expected answers on pairs of " + file + ", found ids of other"
                    + " documents alone; give another --answers file");
        }
        PairPool pool = PairPool.of(documents, targets, progress);
        progress.end();
        AskedTuning tuning = new AskedTuning(pool);
        int outside = known == null ? 0 : tuning.take(known);
        new Questions(pool, documents, tuning).ask(replies);
        try {
            // What the documents say without answers is kept unless the answers say better.
            Tuning alone = new Tuner(() -> input.open(config), targets, documentsMax, progress).tune();
            return new AskReport(
                    new AskReport.Interview(documents.size(), sample.isWhole(), answers, known, outside),
                    pool,
                    tuning,
                    alone,
                    targets);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private DocumentSample sample(int documentsMax, RereadInput input, ProgressLines progress) throws IOException {
        try (DocumentLines lines = input.open(config)) {
            // Copies are often near each other: a part of the file has more of them than a draw of single documents.
            return DocumentSample.first(Math.min(documentsMax, DOCUMENTS_MAX), BYTES_MAX, lines, progress);
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

    private void keep(Document first, Document second, Answer answer) throws IOException {
        String line = first.id() + "\t" + second.id() + "\t" + answer.word() + "\n";
        String kept = Files.exists(answers) ? Files.readString(answers) : HEADER;
        // Who has written the last line may have left its end out.
        String end = kept.isEmpty() || kept.endsWith("\n") ? "" : "\n";
        String before = Files.exists(answers) ? end : HEADER;
        Files.writeString(answers, before + line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private final class Questions {
        private final PairPool pool;
        private final List<Document> documents;
        private final AskedTuning tuning;

        Questions(PairPool pool, List<Document> documents, AskedTuning tuning) {
            this.pool = pool;
            this.documents = documents;
            this.tuning = tuning;
        }

        void ask(InputStream replies) throws IOException {
            BufferedReader lines = new BufferedReader(new InputStreamReader(replies, StandardCharsets.UTF_8));
            boolean goesOn = true;
            while (goesOn && tuning.asked() < questionsMax) {
                OptionalInt next = tuning.next();
                goesOn = next.isPresent() && ask(next.getAsInt(), lines);
            }
        }

        /** Whether to go on. */
        private boolean ask(int pair, BufferedReader lines) throws IOException {
            show(pair, tuning.asked() + 1);
            output.print("same or other? (s, o, ? cannot say, q stop) ");
            output.flush();
            String reply = reply(lines);
            if (reply == null) {
                leaveOpen(pair);
                return false;
            }
            if (reply.equals(QUIT)) {
                return false;
            }
            // To a person who is asked, a question mark means that it cannot be said.
            keep(pair, Answer.of(reply).filter(answer -> answer != Answer.OPEN).orElse(Answer.UNCLEAR));
            return true;
        }

        private void show(int pair, int number) {
            Document first = documents.get(pool.first(pair));
            Document second = documents.get(pool.second(pair));
            output.println();
            output.println(format(
                    "Pair %d of %d:  %s %.2f",
                    number,
                    questionsMax,
                    targets.shingle(),
                    pool.similarity(pool.shingles().indexOf(targets.shingle()), pair)));
            // Whole, so that a program can tell which pair is asked.
            output.println("left   " + Printable.of(first.id()));
            output.println("right  " + Printable.of(second.id()));
            output.println(SideBySide.rule());
            SideBySide.passages(first.text().decode(), second.text().decode(), LINES_MAX)
                    .forEach(output::println);
            output.flush();
        }

        private void keep(int pair, Answer answer) throws IOException {
            Asking.this.keep(documents.get(pool.first(pair)), documents.get(pool.second(pair)), answer);
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
                output.print(
                        "expected s, o, ? or q, found " + (reply.isEmpty() ? "nothing" : Printable.of(reply)) + ": ");
                output.flush();
                line = lines.readLine();
            }
            return null;
        }

        /** Leaves the pair that is asked, and more of a round, to be answered in the file; all of them are shown. */
        private void leaveOpen(int asked) throws IOException {
            if (!tuning.isOpen(asked)) {
                keep(asked, Answer.OPEN);
            }
            int number = tuning.asked() + 1;
            for (int pair : tuning.round(questionsMax)) {
                keep(pair, Answer.OPEN);
                show(pair, ++number);
            }
            output.println();
            output.println("The input has ended. " + tuning.open() + " pairs stand with ? in " + answers);
            output.println("Put same or other in its place and call again. The next pairs follow from that.");
            output.flush();
        }
    }
}
