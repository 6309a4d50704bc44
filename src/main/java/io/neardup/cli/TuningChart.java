package io.neardup.cli;

import io.neardup.analysis.ShingleFit;
import io.neardup.analysis.SimilarityCounts;
import io.neardup.analysis.Tuning;
import java.awt.BasicStroke;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * How similar pairs are by the shingle proposed, as a chart: the unrelated in grey, what the threshold makes duplicates
 * in red, on a logarithmic axis.
 */
final class TuningChart {
    private static final int HEIGHT = 600;
    private static final Color UNRELATED = new Color(0x8090A0);
    private static final Color DUPLICATES = new Color(0xC03028);
    private static final Color RULE = new Color(0x202020);
    private static final double BOTTOM = 0.5;

    private TuningChart() {}

    static XYChart of(Tuning tuning) {
        ShingleFit fit = tuning.proposal();
        XYChart chart = Picture.bySimilarity(
                "Pairs of documents by their similarity in " + fit.shingle(),
                "similarity (Jaccard)",
                "pairs in each hundredth",
                HEIGHT,
                LegendPosition.InsideNE);
        chart.getStyler().setYAxisLogarithmic(true).setYAxisMin(BOTTOM);
        int threshold = (int) Math.round(fit.threshold() * SimilarityCounts.BINS);
        add("kept apart", 0, threshold, UNRELATED, fit.pairs(), chart);
        add("duplicates", threshold, SimilarityCounts.BINS, DUPLICATES, fit.pairs(), chart);
        chart.addSeries(
                        String.format(Locale.ROOT, "threshold %.2f", fit.threshold()),
                        new double[] {fit.threshold(), fit.threshold()},
                        new double[] {BOTTOM, Math.max(1, most(fit.pairs()))})
                .setXYSeriesRenderStyle(XYSeriesRenderStyle.Line)
                .setMarker(SeriesMarkers.NONE)
                .setLineColor(RULE)
                .setLineStyle(new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[] {6}, 0));
        return chart;
    }

    /** Steps; an empty bin is drawn at the bottom, as a logarithmic axis has no 0. */
    private static void add(String name, int from, int to, Color color, SimilarityCounts counts, XYChart chart) {
        List<Double> similarities = new ArrayList<>();
        List<Double> pairs = new ArrayList<>();
        for (int bin = from; bin < to; bin++) {
            similarities.add(bin / (double) SimilarityCounts.BINS);
            similarities.add((bin + 1) / (double) SimilarityCounts.BINS);
            pairs.add(Math.max(BOTTOM, counts.pairs(bin, bin + 1)));
            pairs.add(Math.max(BOTTOM, counts.pairs(bin, bin + 1)));
        }
        if (!pairs.isEmpty()) {
            chart.addSeries(
                            String.format(Locale.ROOT, "%s: %,.0f pairs", name, counts.pairs(from, to)),
                            similarities,
                            pairs)
                    .setXYSeriesRenderStyle(XYSeriesRenderStyle.Area)
                    .setMarker(SeriesMarkers.NONE)
                    .setLineColor(color)
                    .setFillColor(color);
        }
    }

    private static double most(SimilarityCounts counts) {
        double most = 0;
        for (int bin = 0; bin < SimilarityCounts.BINS; bin++) {
            most = Math.max(most, counts.pairs(bin, bin + 1));
        }
        return most;
    }
}
