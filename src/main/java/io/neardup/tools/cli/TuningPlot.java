package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import io.neardup.tools.analysis.SimilarityCounts;
import java.util.ArrayList;
import java.util.List;

/**
 * How similar pairs are, drawn in characters: similarity downwards, a bar for the pairs of each {@value #WIDTH}
 * hundredths, a rule at the threshold. A bar grows with the logarithm of the pairs.
 */
final class TuningPlot {
    private static final int WIDTH = 4;
    private static final int BAR_MAX = 50;

    private final SimilarityCounts counts;
    private final double threshold;
    /** The first bin that counts as duplicates. */
    private final int edge;

    private final List<String> lines = new ArrayList<>();

    private TuningPlot(SimilarityCounts counts, double threshold) {
        this.counts = counts;
        this.threshold = threshold;
        this.edge = SimilarityCounts.bin(threshold);
    }

    /** The lines of a plot. The edges of the bars are such that duplicates are counted from one of them on. */
    static List<String> lines(SimilarityCounts counts, double threshold) {
        return new TuningPlot(counts, threshold).draw();
    }

    private List<String> draw() {
        double most = 1;
        int first = edge % WIDTH;
        for (int from = first - WIDTH; from < SimilarityCounts.BINS; from += WIDTH) {
            most = Math.max(most, pairs(from));
        }
        for (int from = first == 0 ? 0 : first - WIDTH; from < SimilarityCounts.BINS; from += WIDTH) {
            if (from == edge) {
                lines.add(rule());
            }
            lines.add(line(Math.max(0, from), pairs(from), most));
        }
        return lines;
    }

    private String rule() {
        boolean isWhole = threshold * SimilarityCounts.BINS < edge + 1e-6;
        String told = isWhole ? "threshold: duplicates" : "threshold " + threshold + ": duplicates, counted";
        return text("%4.2f %s %s from here on", edge / 100.0, "-".repeat(16), told);
    }

    private double pairs(int from) {
        return counts.pairs(Math.max(0, from), Math.min(from + WIDTH, SimilarityCounts.BINS));
    }

    private static String line(int from, double pairs, double most) {
        int length = pairs < 0.5 ? 0 : (int) Math.max(1, Math.round(BAR_MAX * Math.log1p(pairs) / Math.log1p(most)));
        return text("%4.2f %,15.0f %s", from / 100.0, pairs, "#".repeat(length)).stripTrailing();
    }
}
