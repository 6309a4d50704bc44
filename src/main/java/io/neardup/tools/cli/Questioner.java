package io.neardup.tools.cli;

import io.neardup.record.Document;
import io.neardup.record.Printable;
import io.neardup.tools.analysis.PairPool;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Shows pairs of documents side by side, in 79 columns. */
final class Questioner {
    private static final int LINES_MAX = 14;
    /** Characters of an id that fit, if they are wide too. */
    private static final int ID_MAX = 19;

    /** Shown beside the shingle of the settings. */
    private static final List<String> USUAL = List.of("char:4", "char:9", "word:1", "word:3");

    private final PairPool pool;
    private final List<Document> documents;
    private final Set<String> shingles;
    private final PrintWriter output;

    /** @param shingle of the settings */
    Questioner(PairPool pool, List<Document> documents, String shingle, PrintWriter output) {
        this.pool = pool;
        this.documents = documents;
        this.shingles = new LinkedHashSet<>(List.of(shingle));
        this.shingles.addAll(USUAL);
        this.output = output;
    }

    Document first(int pair) {
        return documents.get(pool.first(pair));
    }

    Document second(int pair) {
        return documents.get(pool.second(pair));
    }

    /** Shows a pair. */
    void show(int pair, int number, int numberMax) {
        StringBuilder similarities = new StringBuilder();
        for (String shingle : shingles) {
            int place = pool.shingles().indexOf(shingle);
            similarities.append(String.format(Locale.ROOT, "  %s %.2f", shingle, pool.similarity(place, pair)));
        }
        output.println();
        output.println("Pair " + number + " of " + numberMax + ":" + similarities);
        names(first(pair).id(), second(pair).id()).forEach(output::println);
        output.println(SideBySide.rule());
        SideBySide.passages(first(pair).text().decode(), second(pair).text().decode(), LINES_MAX)
                .forEach(output::println);
        output.flush();
    }

    /** Asks about the pair that is shown. */
    void ask() {
        output.print("same or other? (s, o, ? cannot say, q stop) ");
        output.flush();
    }

    /** Above the columns if they fit, else whole, so that a program can tell which pair is asked. */
    private static List<String> names(String first, String second) {
        return Math.max(first.length(), second.length()) <= ID_MAX
                ? SideBySide.row(first, second)
                : List.of("left   " + Printable.of(first), "right  " + Printable.of(second));
    }

    /** Says what was expected, and asks again. */
    void refuse(String reply) {
        output.print("expected s, o, ? or q, found " + (reply.isEmpty() ? "nothing" : Printable.of(reply)) + ": ");
        output.flush();
    }

    /** Says where to answer, at the end of the input. */
    void end(int open, Path file) {
        output.println();
        output.println("The input has ended. " + open + " pairs stand with ? in " + file);
        output.println("Put same or other in its place and call again. The next pairs follow from that.");
        output.flush();
    }

    /** Says how to go on, where it is stopped before the end. */
    void stop(int answered, Path file) {
        output.println();
        output.println("Stopped. " + answered + " answers are kept in " + file);
        output.println("Call the same again to go on.");
        output.flush();
    }
}
