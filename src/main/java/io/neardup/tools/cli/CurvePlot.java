package io.neardup.tools.cli;

import io.neardup.engine.lsh.Banding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Curves drawn in characters: similarity to the right, probability upwards, a letter for each curve. */
final class CurvePlot {
    private static final int COLUMNS = 61;
    private static final int LINES = 21;
    private static final int TICK_COLUMNS = 12;
    private static final int TICK_LINES = 5;

    private CurvePlot() {}

    /** The letter of a curve by its place. */
    static char letter(int place) {
        return (char) ('a' + place % 26);
    }

    static List<String> lines(List<Banding> curves) {
        char[][] canvas = new char[LINES][COLUMNS];
        for (char[] line : canvas) {
            Arrays.fill(line, ' ');
        }
        // The first one is drawn last: where curves meet, it is seen.
        for (int place = curves.size() - 1; place >= 0; place--) {
            draw(curves.get(place), letter(place), canvas);
        }
        List<String> lines = new ArrayList<>();
        for (int line = 0; line < LINES; line++) {
            String tick =
                    line % TICK_LINES == 0 ? String.format(Locale.ROOT, "%5.2f ", 1 - line / (LINES - 1.0)) : "      ";
            lines.add((tick + "|" + new String(canvas[line])).stripTrailing());
        }
        lines.add("      +" + "-".repeat(COLUMNS));
        StringBuilder ticks = new StringBuilder("       ");
        for (int column = 0; column < COLUMNS; column += TICK_COLUMNS) {
            ticks.append(String.format(Locale.ROOT, "%-" + TICK_COLUMNS + ".2f", column / (COLUMNS - 1.0)));
        }
        lines.add(ticks.toString().stripTrailing());
        return lines;
    }

    private static void draw(Banding curve, char letter, char[][] canvas) {
        for (int column = 0; column < COLUMNS; column++) {
            double probability = curve.probability(column / (COLUMNS - 1.0));
            canvas[(int) Math.round((1 - probability) * (LINES - 1))][column] = letter;
        }
    }
}
