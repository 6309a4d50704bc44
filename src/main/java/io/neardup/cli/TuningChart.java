package io.neardup.cli;

import io.neardup.analysis.ShingleFit;
import io.neardup.analysis.Tuning;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** How similar unrelated pairs are, as a chart: a point a bin for each shingle, its threshold in the legend. */
final class TuningChart {
    private static final int HEIGHT = 600;
    private static final int BINS = 50;

    private TuningChart() {}

    static XYChart of(Tuning tuning) {
        XYChart chart = Picture.bySimilarity(
                "How similar unrelated documents are",
                "similarity",
                "share of the pairs",
                HEIGHT,
                LegendPosition.InsideNE);
        chart.getStyler().setYAxisLogarithmic(true);
        tuning.fits().forEach(fit -> add(fit, chart));
        return chart;
    }

    /** Empty bins are left out: a logarithmic axis has no 0. */
    private static void add(ShingleFit fit, XYChart chart) {
        int[] counts = fit.unrelated().histogram(BINS);
        List<Double> similarities = new ArrayList<>();
        List<Double> shares = new ArrayList<>();
        for (int bin = 0; bin < BINS; bin++) {
            if (counts[bin] > 0) {
                similarities.add((bin + 0.5) / BINS);
                shares.add(counts[bin] / (double) fit.unrelated().size());
            }
        }
        chart.addSeries(fit.shingle() + ", duplicates from " + fit.threshold() + " on", similarities, shares)
                .setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter)
                .setMarker(SeriesMarkers.CIRCLE);
    }
}
