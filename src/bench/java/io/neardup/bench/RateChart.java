package io.neardup.bench;

import io.neardup.bench.Window.Sample;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws rates over time, several drains beside each other. */
final class RateChart {
    private static final int WIDTH = 1_000;
    private static final int HEIGHT = 600;
    /** Commits come in steps of a tenth of a second; over this time they even out. */
    private static final long BIN_NANOS = 500_000_000L;

    private final Map<String, List<Point>> points = new LinkedHashMap<>();

    /** @param seconds since the first document came out, or near it */
    record Point(double seconds, double documentsPerSecond) {}

    void add(String name, List<Sample> samples) {
        points.put(name, points(samples));
    }

    /** Writes a PNG, replacing what is there. */
    void write(Path file) throws IOException {
        System.setProperty("java.awt.headless", "true");
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title("Documents per second")
                .xAxisTitle("seconds")
                .yAxisTitle("documents per second")
                .build();
        chart.getStyler().setYAxisLogarithmic(true);
        points.forEach((name, series) -> {
            if (!series.isEmpty()) {
                chart.addSeries(
                                name,
                                series.stream().map(Point::seconds).toList(),
                                // A logarithmic axis has no 0.
                                series.stream()
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

    /** The rates of a drain, from its first document to its last. */
    static List<Point> points(List<Sample> samples) {
        List<Point> points = new ArrayList<>();
        Sample start = samples.get(0);
        for (Sample sample : samples) {
            start = sample.documents() == 0 ? sample : start;
        }
        Sample from = start;
        long all = samples.get(samples.size() - 1).documents();
        for (Sample to : samples) {
            if (to.nanos() - from.nanos() >= BIN_NANOS && from.documents() < all) {
                points.add(new Point((to.nanos() - start.nanos()) / 1e9, rate(from, to)));
                from = to;
            }
        }
        return points;
    }

    private static double rate(Sample from, Sample to) {
        return (to.documents() - from.documents()) * 1e9 / (to.nanos() - from.nanos());
    }
}
