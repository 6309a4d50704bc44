package io.neardup.cli;

import io.neardup.analysis.ShingleFit;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** How similar unrelated pairs are, drawn in characters: similarity to the right, a line for each shingle. */
final class TuningPlot {
    static final String LEGEND = ". a pair, : 10, + 100, # 1,000 or more; | the threshold";
    private static final String SHADES = ".:+#";
    private static final int BINS = 50;
    private static final int TICKS = 5;
    private static final String LINE = "%-11s%s";

    private TuningPlot() {}

    static List<String> lines(List<ShingleFit> fits) {
        return Stream.concat(Stream.of(scale()), fits.stream().map(TuningPlot::line))
                .toList();
    }

    private static String scale() {
        StringBuilder ticks = new StringBuilder();
        for (int tick = 0; tick <= TICKS; tick++) {
            ticks.append(String.format(Locale.ROOT, "%-" + BINS / TICKS + ".1f", tick / (double) TICKS));
        }
        return String.format(LINE, "", ticks).stripTrailing();
    }

    private static String line(ShingleFit fit) {
        int[] counts = fit.unrelated().histogram(BINS);
        StringBuilder line = new StringBuilder();
        IntStream.of(counts).mapToObj(TuningPlot::shade).forEach(line::append);
        line.append(' ').setCharAt((int) Math.round(fit.threshold() * BINS), '|');
        return String.format(LINE, fit.shingle(), line).stripTrailing();
    }

    private static char shade(int pairs) {
        int tens = (int) Math.log10(Math.max(1, pairs));
        return pairs == 0 ? ' ' : SHADES.charAt(Math.min(tens, SHADES.length() - 1));
    }
}
