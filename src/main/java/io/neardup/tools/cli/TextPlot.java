package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** Curves drawn in characters: from 0 to 1 to the right and upwards. */
final class TextPlot {
    /** Rows between two numbers at the left. */
    private static final int TICK_LINES = 5;

    private final char[][] canvas;

    /** An empty plot of odd numbers of lines and columns. */
    TextPlot(int lines, int columns) {
        this.canvas = new char[lines][columns];
        for (char[] line : canvas) {
            Arrays.fill(line, ' ');
        }
    }

    /** Draws a curve over all columns, and over what is there. */
    void draw(DoubleUnaryOperator curve, char letter) {
        for (int column = 0; column < canvas[0].length; column++) {
            put(column / (canvas[0].length - 1.0), curve.applyAsDouble(column / (canvas[0].length - 1.0)), letter);
        }
    }

    /** Draws a point; where another letter stands, an x. Nothing where there is no value. */
    void mark(double x, double y, char letter) {
        if (!Double.isNaN(y)) {
            char there = canvas[line(y)][column(x)];
            put(x, y, there == ' ' || there == letter ? letter : 'x');
        }
    }

    private void put(double x, double y, char letter) {
        canvas[line(y)][column(x)] = letter;
    }

    private int line(double y) {
        return (int) Math.round((1 - y) * (canvas.length - 1));
    }

    /** The column of a number from 0 to 1. */
    int column(double x) {
        return (int) Math.round(x * (canvas[0].length - 1));
    }

    /** The lines with numbers at the left, and the axis below. */
    List<String> lines(String tickFormat, String axis) {
        List<String> lines = new ArrayList<>();
        String indent = " ".repeat(format(tickFormat, 0.0).length());
        for (int line = 0; line < canvas.length; line++) {
            String tick = line % TICK_LINES == 0 ? format(tickFormat, 1 - line / (canvas.length - 1.0)) : indent;
            lines.add((tick + "|" + new String(canvas[line])).stripTrailing());
        }
        lines.add(indent + "+" + axis);
        return lines;
    }
}
