package io.neardup.tools.cli;

import io.neardup.tools.analysis.AtThreshold;
import io.neardup.tools.analysis.ShingleScores;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Precision and recall in characters: threshold to the right, score upwards. */
final class ScorePlot {
    static final String LEGEND = "p precision, r recall, x both; s the settings, b the best";

    private static final int COLUMNS = 31;
    private static final int LINES = 11;
    private static final int TICK_LINES = 5;
    private static final String TICKS = "     0    .2    .4    .6    .8    1";
    /** Of a plot, with room before the next. */
    private static final int WIDTH = 40;

    private ScorePlot() {}

    /** Plots, two of them side by side. */
    static List<String> lines(List<ShingleScores> shingles) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < shingles.size(); i += 2) {
            List<String> left = lines(shingles.get(i));
            lines.addAll(i + 1 < shingles.size() ? beside(left, lines(shingles.get(i + 1))) : left);
        }
        return lines;
    }

    private static List<String> beside(List<String> left, List<String> right) {
        return IntStream.range(0, left.size())
                .mapToObj(line ->
                        left.get(line) + " ".repeat(WIDTH - left.get(line).length()) + right.get(line))
                .toList();
    }

    private static List<String> lines(ShingleScores scores) {
        char[][] canvas = new char[LINES][COLUMNS];
        for (char[] line : canvas) {
            Arrays.fill(line, ' ');
        }
        for (AtThreshold at : scores.sweep()) {
            int column = column(at.threshold());
            draw(canvas, column, at.score().precision(), 'p', 'r');
            draw(canvas, column, at.score().recall(), 'r', 'p');
        }
        List<String> lines = new ArrayList<>();
        lines.add("     " + LabelText.cut(scores));
        for (int line = 0; line < LINES; line++) {
            String tick =
                    line % TICK_LINES == 0 ? String.format(Locale.ROOT, "%3.1f", 1 - line / (LINES - 1.0)) : "   ";
            lines.add((tick + " |" + new String(canvas[line])).stripTrailing());
        }
        StringBuilder axis = new StringBuilder("-".repeat(COLUMNS));
        axis.setCharAt(column(scores.settings().threshold()), 's');
        axis.setCharAt(column(scores.best().threshold()), 'b');
        lines.add("    +" + axis);
        lines.add(TICKS);
        return lines;
    }

    /** Nothing where there is no score. */
    private static void draw(char[][] canvas, int column, double score, char letter, char other) {
        if (!Double.isNaN(score)) {
            char[] line = canvas[(int) Math.round((1 - score) * (LINES - 1))];
            line[column] = line[column] == other || line[column] == 'x' ? 'x' : letter;
        }
    }

    private static int column(double threshold) {
        return (int) Math.round(threshold * (COLUMNS - 1));
    }
}
