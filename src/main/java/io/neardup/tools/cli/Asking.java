package io.neardup.tools.cli;

import io.neardup.tools.analysis.Answer;
import io.neardup.tools.analysis.AskedTuning;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Asks one question after the other and keeps each answer at once. Where the input ends, the next questions are written
 * into the file as open ones, to be answered there. It can be stopped at any time.
 */
final class Asking {
    private static final String QUIT = "q";

    private final Questioner questioner;
    private final AskedTuning tuning;
    private final AnswersFile file;

    Asking(Questioner questioner, AskedTuning tuning, AnswersFile file) {
        this.questioner = questioner;
        this.tuning = tuning;
        this.file = file;
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
        questioner.show(pair, tuning.asked() + 1, questionsMax);
        questioner.ask();
        String reply = reply(lines);
        if (reply == null) {
            leaveOpen(pair, questionsMax);
            return false;
        }
        if (reply.equals(QUIT)) {
            return false;
        }
        keep(pair, answer(reply));
        return true;
    }

    private synchronized void keep(int pair, Answer answer) throws IOException {
        file.add(questioner.first(pair), questioner.second(pair), answer);
        tuning.take(pair, answer);
    }

    /** Says where the answers are, when the process is told to stop; one that is being written is there before. */
    synchronized void stop() {
        questioner.stop(tuning.asked(), file.path());
    }

    /** The next line that is an answer; null at the end of the input. */
    private @Nullable String reply(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        while (line != null) {
            String reply = line.strip().toLowerCase(Locale.ROOT);
            if (reply.equals(QUIT) || (!reply.isEmpty() && Answer.of(reply).isPresent())) {
                return reply;
            }
            questioner.refuse(reply);
            line = lines.readLine();
        }
        return null;
    }

    /** To a person who is asked, a question mark means that it cannot be said. */
    private static Answer answer(String reply) {
        return Answer.of(reply).filter(answer -> answer != Answer.OPEN).orElse(Answer.UNCLEAR);
    }

    /** Leaves the pair that is asked, and more of a round, to be answered in the file; all of them are shown. */
    private void leaveOpen(int asked, int questionsMax) throws IOException {
        if (!tuning.isOpen(asked)) {
            keep(asked, Answer.OPEN);
        }
        int number = tuning.asked() + 1;
        for (int pair : tuning.round(questionsMax)) {
            keep(pair, Answer.OPEN);
            questioner.show(pair, ++number, questionsMax);
        }
        questioner.end(tuning.open(), file.path());
    }
}
