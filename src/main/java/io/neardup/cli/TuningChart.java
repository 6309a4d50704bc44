package io.neardup.cli;

import io.neardup.analysis.ShingleFit;
import io.neardup.analysis.Tuning;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws how similar unrelated pairs are as a picture: a curve for each shingle, its threshold in the legend. */
final class TuningChart {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 600;
    private static final int BINS = 50;

    private TuningChart() {}

    /** Writes a PNG, replacing what is there. */
    static void write(Path file, Tuning tuning) throws IOException {
        System.setProperty("java.awt.headless", "true");
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title("How similar unrelated documents are")
                .xAxisTitle("similarity")
                .yAxisTitle("share of the pairs")
                .build();
        chart.getStyler()
                .setYAxisLogarithmic(true)
                .setXAxisMin(0.0)
                .setXAxisMax(1.0)
                .setLegendPosition(LegendPosition.InsideNE);
        tuning.fits().forEach(fit -> add(fit, chart));
        try (OutputStream out = Files.newOutputStream(file)) {
            ChartEncoder.saveChart(chart, out, "png");
        }
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
                .setMarker(SeriesMarkers.CIRCLE);
    }
}
