package io.neardup.tools.cli;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Charts of shares by similarity, both from 0 to 1. */
final class Charts {
    private static final int POINTS = 400;

    private Charts() {}

    /**
     * Draws S-curves by their names, and where the threshold stands, replacing what is there.
     *
     * @param format {@code png} or {@code svg}
     */
    static void writeCurves(Path file, String format, Map<String, DoubleUnaryOperator> curves, OptionalDouble threshold)
            throws IOException {
        // For machines with and without a screen.
        System.setProperty("java.awt.headless", "true");
        XYChart chart = new XYChartBuilder()
                .width(900)
                .height(600)
                .title("Chance that two documents share a bucket")
                .xAxisTitle("similarity")
                .yAxisTitle("probability")
                .build();
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setXAxisMin(0.0).setXAxisMax(1.0).setLegendPosition(LegendPosition.InsideNW);
        chart.getStyler().setXAxisTickMarkSpacingHint(80).setXAxisDecimalPattern("0.0");
        chart.getStyler().setYAxisMin(0.0).setYAxisMax(1.0);
        // Closer to each other towards 1: of equally spaced ones XChart makes ticks of its own, with rounded labels.
        double[] similarities = IntStream.rangeClosed(0, POINTS)
                .mapToDouble(i -> Math.sqrt(i / (double) POINTS))
                .toArray();
        curves.forEach((name, probability) -> chart.addSeries(
                        name,
                        similarities,
                        DoubleStream.of(similarities).map(probability).toArray())
                .setMarker(SeriesMarkers.NONE));
        threshold.ifPresent(at -> chart.addSeries("threshold " + at, new double[] {at, at}, new double[] {0, 1})
                .setMarker(SeriesMarkers.NONE)
                .setLineColor(Color.GRAY));
        OutputFile.replace(file, out -> ChartEncoder.saveChart(chart, out, format));
    }
}
