package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import io.neardup.tools.analysis.Finding;
import io.neardup.tools.analysis.ShingleFit;
import io.neardup.tools.analysis.SimilarityCounts;
import io.neardup.tools.analysis.Tuning;
import java.awt.BasicStroke;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * How similar pairs are by the shingle proposed, as a chart: steps on a logarithmic axis, what is kept apart in grey,
 * what the threshold makes duplicates in red, and a rule between them.
 */
final class TuningChart {
    private static final int HEIGHT = 600;
    private static final int STEP = 2;
    private static final Color KEPT = new Color(0x9AA7B4);
    private static final Color DUPLICATES = new Color(0xC03028);
    private static final Color RULE = new Color(0x202020);
    private static final float[] DASHES = {8, 5};

    private TuningChart() {}

    static XYChart of(Tuning tuning) {
        ShingleFit fit = tuning.proposal();
        SimilarityCounts counts = tuning.proposed().counts();
        int edge = SimilarityCounts.bin(fit.threshold());
        XYChart chart = Picture.bySimilarity(
                text(
                        "%,d documents, %,d pairs compared in %s%s",
                        tuning.documents(),
                        tuning.pairs(),
                        fit.shingle(),
                        tuning.excluded().isPresent() ? " without boilerplate" : ""),
                "similarity (Jaccard)",
                "pairs per 0.02, plus 1",
                HEIGHT,
                LegendPosition.InsideNE);
        chart.getStyler().setYAxisLogarithmic(true).setYAxisMin(1.0);
        steps("kept apart", 0, edge, KEPT, counts, chart);
        steps("duplicates", edge, SimilarityCounts.BINS, DUPLICATES, counts, chart);
        rule(fit, tuning.finding() == Finding.PARTED ? "" : ", the convention", counts, chart);
        return chart;
    }

    private static void rule(ShingleFit fit, String kind, SimilarityCounts counts, XYChart chart) {
        double most = 10;
        for (int bin = 0; bin < SimilarityCounts.BINS; bin += STEP) {
            most = Math.max(most, counts.pairs(bin, Math.min(bin + STEP, SimilarityCounts.BINS)));
        }
        XYSeries rule = chart.addSeries(
                "threshold " + fit.threshold() + kind,
                new double[] {fit.threshold(), fit.threshold()},
                new double[] {1, most + 1});
        style(rule, RULE).setLineStyle(new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, DASHES, 0));
    }

    /**
     * From the edge of the threshold to both sides. One is added, as a logarithmic axis begins at 1; where
     * there is no pair, nothing is drawn.
     */
    private static void steps(String name, int from, int to, Color color, SimilarityCounts counts, XYChart chart) {
        List<Double> similarities = new ArrayList<>();
        List<Double> pairs = new ArrayList<>();
        for (int bin = from - (from == 0 ? to % STEP : 0); bin < to; bin += STEP) {
            int end = Math.min(bin + STEP, to);
            double count = counts.pairs(Math.max(0, bin), end);
            double height = count > 0 ? count + 1 : Double.NaN;
            similarities.addAll(List.of(Math.max(0, bin) / 100.0, end / 100.0));
            pairs.addAll(List.of(height, height));
        }
        if (!pairs.isEmpty()) {
            String legend = text("%s: %,.0f pairs", name, counts.pairs(from, to));
            XYSeries series = chart.addSeries(legend, similarities, pairs);
            series.setXYSeriesRenderStyle(XYSeriesRenderStyle.Area);
            style(series, color).setFillColor(color);
        }
    }

    private static XYSeries style(XYSeries series, Color color) {
        series.setMarker(SeriesMarkers.NONE).setLineColor(color);
        return series;
    }
}
