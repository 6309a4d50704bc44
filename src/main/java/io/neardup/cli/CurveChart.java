package io.neardup.cli;

import io.neardup.lsh.SCurve;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws S-curves as a picture. */
final class CurveChart {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 600;
    private static final int POINTS = 400;

    private CurveChart() {}

    static void writePng(Path file, List<SCurve> curves) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            ChartEncoder.saveChart(chart(curves), out, "png");
        }
    }

    static void writeSvg(Path file, List<SCurve> curves) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            ChartEncoder.saveChart(chart(curves), out, "svg");
        }
    }

    private static XYChart chart(List<SCurve> curves) {
        System.setProperty("java.awt.headless", "true");
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title("Chance that two documents share a bucket")
                .xAxisTitle("similarity")
                .yAxisTitle("probability")
                .build();
        chart.getStyler()
                .setXAxisMin(0.0)
                .setXAxisMax(1.0)
                .setYAxisMin(0.0)
                .setYAxisMax(1.0)
                .setLegendPosition(LegendPosition.InsideNW);
        double[] similarities = IntStream.rangeClosed(0, POINTS)
                .mapToDouble(i -> i / (double) POINTS)
                .toArray();
        for (SCurve curve : curves) {
            double[] probabilities =
                    Arrays.stream(similarities).map(curve::probability).toArray();
            chart.addSeries(curve.bands() + " bands x " + curve.rows() + " rows", similarities, probabilities)
                    .setMarker(SeriesMarkers.NONE);
        }
        return chart;
    }
}
