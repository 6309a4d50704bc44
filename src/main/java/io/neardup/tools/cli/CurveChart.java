package io.neardup.tools.cli;

import io.neardup.engine.lsh.Banding;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** S-curves as a chart. */
final class CurveChart {
    private static final int HEIGHT = 600;
    private static final int POINTS = 400;

    private CurveChart() {}

    static XYChart of(List<Banding> curves) {
        XYChart chart = Picture.bySimilarity(
                "Chance that two documents share a bucket",
                "similarity",
                "probability",
                HEIGHT,
                LegendPosition.InsideNW);
        chart.getStyler().setYAxisMin(0.0).setYAxisMax(1.0);
        double[] similarities = IntStream.rangeClosed(0, POINTS)
                .mapToDouble(i -> i / (double) POINTS)
                .toArray();
        for (Banding curve : curves) {
            double[] probabilities =
                    Arrays.stream(similarities).map(curve::probability).toArray();
            chart.addSeries(curve.bands() + " bands x " + curve.rows() + " rows", similarities, probabilities)
                    .setMarker(SeriesMarkers.NONE);
        }
        return chart;
    }
}
