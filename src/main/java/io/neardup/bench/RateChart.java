package io.neardup.bench;

import io.neardup.bench.RateSeries.Point;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws rates over time. */
final class RateChart {
    private static final int WIDTH = 1_000;
    private static final int HEIGHT = 600;

    private RateChart() {}

    /** Writes a PNG, replacing what is there. */
    static void write(Path file, RateSeries series) throws IOException {
        System.setProperty("java.awt.headless", "true");
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title("Documents per second")
                .xAxisTitle("seconds")
                .yAxisTitle("documents per second")
                .build();
        chart.getStyler().setYAxisLogarithmic(true);
        series.points().forEach((name, points) -> {
            if (!points.isEmpty()) {
                chart.addSeries(
                                name,
                                points.stream().map(Point::seconds).toList(),
                                // A logarithmic axis has no 0.
                                points.stream()
                                        .map(point -> Math.max(1, point.documentsPerSecond()))
                                        .toList())
                        .setMarker(SeriesMarkers.NONE);
            }
        });
        if (!chart.getSeriesCollection().isEmpty()) {
            try (OutputStream out = Files.newOutputStream(file)) {
                ChartEncoder.saveChart(chart, out, "png");
            }
        }
    }
}
