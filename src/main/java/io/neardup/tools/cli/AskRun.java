package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.record.Document;
import io.neardup.tools.analysis.AskedTuning;
import io.neardup.tools.analysis.DocumentLines;
import io.neardup.tools.analysis.DocumentSample;
import io.neardup.tools.analysis.Labels;
import io.neardup.tools.analysis.PairPool;
import io.neardup.tools.analysis.Tuner;
import io.neardup.tools.analysis.Tuning;
import io.neardup.tools.analysis.TuningTargets;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/**
 * Asks about pairs of a file, one after the other, and proposes from the answers. Each answer is kept at once, so that
 * it can be stopped at any time and gone on with.
 */
final class AskRun {
    static final int QUESTIONS_MAX = 10_000;
    /** Of larger files the first. */
    static final int DOCUMENTS_MAX = 20_000;

    /** Bytes of text that are compared, of the first documents: their shingle hashes take eight times as many. */
    private static final long BYTES_MAX = 1 << 23;

    /** Bytes of the records that these are parts of. */
    private static final long HELD_BYTES_MAX = 1 << 27;

    private final String file;
    private final int questionsMax;
    private final NeardupConfig config;
    private final TuningTargets targets;
    private final AnswersFile answers;

    /**
     * A run of which nothing is done yet.
     *
     * @param file as for {@link DocumentLines}
     * @param questionsMax answers in all, those that stand in the file included
     * @throws IllegalArgumentException as for {@link ToolCommand#comparingShingles}
     */
    AskRun(String file, AnswersFile answers, int questionsMax, int hashesMax, Settings settings) {
        this.file = file;
        this.answers = answers;
        this.questionsMax = questionsMax;
        this.config = ToolCommand.comparingShingles("tune FILE --ask", NeardupConfig.of(settings));
        this.targets = TuningTargets.of(settings, config, hashesMax);
    }

    /**
     * Asks and proposes.
     *
     * @param documentsMax of these the first are taken, if they are not too many
     * @param standardInput the documents if the file is {@code -}, else the answers
     * @param output where questions are shown
     * @throws IOException if a file cannot be read or written, or no bands and rows reach the recall
     */
    AskReport report(int documentsMax, InputStream standardInput, PrintWriter output, ProgressLines progress)
            throws IOException {
        InputStream replies = file.equals("-") ? InputStream.nullInputStream() : standardInput;
        try (RereadInput input = new RereadInput(List.of(file), standardInput)) {
            return report(documentsMax, input, replies, output, progress);
        }
    }

    private AskReport report(
            int documentsMax, RereadInput input, InputStream replies, PrintWriter output, ProgressLines progress)
            throws IOException {
        DocumentSample sample = sample(documentsMax, input, progress);
        List<Document> documents = within(BYTES_MAX, AnswersFile.nameable(sample.documents()));
        Labels known = answers.read(documents);
        if (known != null && known.nameOthersAlone()) {
            throw new IOException(answers.path() + ": expected answers on pairs of " + file + ", found ids of other"
                    + " documents alone; give another --answers file");
        }
        PairPool pool = PairPool.of(documents, config.shingling(), targets.shingles(), progress);
        progress.end();
        AskedTuning tuning = new AskedTuning(pool);
        int outside = known == null ? 0 : tuning.take(known);
        Asking asking = new Asking(pool, documents, targets.shingle(), tuning, answers, output);
        StopHook stopHook = new StopHook(asking::stop, Duration.ZERO);
        try {
            asking.ask(questionsMax, replies);
            // What the documents say without answers is kept unless the answers say better.
            Tuning alone = new Tuner(() -> input.open(config), targets, documentsMax, progress).tune();
            progress.update("weighing the answers");
            return new AskReport(
                    new AskReport.Interview(sample, documents.size(), answers.path(), known, outside, questionsMax),
                    pool,
                    tuning,
                    alone,
                    targets);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            stopHook.remove();
        }
    }

    private DocumentSample sample(int documentsMax, RereadInput input, ProgressLines progress) throws IOException {
        try (DocumentLines lines = input.open(config)) {
            // Copies are often near each other: a part of the file has more of them than a draw of single documents.
            DocumentSample sample =
                    DocumentSample.first(Math.min(documentsMax, DOCUMENTS_MAX), HELD_BYTES_MAX, lines, progress);
            while (lines.next() != null) {
                progress.update("counting documents");
            }
            progress.skippedTotals(lines.skippedTotals());
            return new DocumentSample(
                    sample.documents(), lines.lines(), lines.rejected(), sample.isWhole(), sample.isFull());
        }
    }

    private static List<Document> within(long bytesMax, List<Document> documents) {
        long bytes = 0;
        int count = 0;
        while (count < documents.size() && bytes <= bytesMax) {
            bytes += documents.get(count++).text().length();
        }
        return documents.subList(0, count);
    }
}
