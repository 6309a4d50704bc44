package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.format;

import io.neardup.engine.lsh.Banding;
import io.neardup.tools.analysis.Evaluation;
import io.neardup.tools.analysis.Evaluation.Bin;
import io.neardup.tools.analysis.ShingleScores;
import io.neardup.tools.analysis.ShingleScores.AtThreshold;
import io.neardup.tools.analysis.SimilarityCounts;
import io.neardup.tools.analysis.Tuning;
import io.neardup.tools.analysis.Tuning.Finding;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The charts of the commands, all of them over similarities from 0 to 1. */
final class Charts {
    private static final int WIDTH = 900;
    private static final int HIGH = 600;
    private static final int LOW = 500;
    private static final int POINTS = 400;
    private static final Color KEPT = new Color(0x9AA7B4);
    private static final Color DUPLICATES = new Color(0xC03028);

    private Charts() {}

    /** An empty chart, for machines with and without a screen. */
    private static XYChart chart(String title, String x, String y, int height, LegendPosition legend) {
        System.setProperty("java.awt.headless", "true");
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(height)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setXAxisMin(0.0).setXAxisMax(1.0).setLegendPosition(legend);
        chart.getStyler().setXAxisTickMarkSpacingHint(80).setXAxisDecimalPattern("0.0");
        return chart;
    }

    /** An empty chart of shares. */
    private static XYChart shares(String title, String x, String y, int height) {
        XYChart chart = chart(title, x, y, height, LegendPosition.InsideNW);
        chart.getStyler().setYAxisMin(0.0).setYAxisMax(1.0);
        return chart;
    }

    /** Writes a chart as {@code png} or {@code svg}, replacing what is there. */
    static void write(Path file, XYChart chart, String format) throws IOException {
        OutputFile.replace(file, out -> ChartEncoder.saveChart(chart, out, format));
    }

    private static void curve(XYChart chart, String name, DoubleUnaryOperator probability) {
        // Closer to each other towards 1: of equally spaced ones XChart makes ticks of its own, with rounded labels.
        double[] similarities = IntStream.rangeClosed(0, POINTS)
                .mapToDouble(i -> Math.sqrt(i / (double) POINTS))
                .toArray();
        line(
                chart,
                name,
                similarities,
                IntStream.range(0, similarities.length)
                        .mapToDouble(i -> probability.applyAsDouble(similarities[i]))
                        .toArray());
    }

    private static XYSeries line(XYChart chart, String name, double[] x, double[] y) {
        XYSeries line = chart.addSeries(name, x, y);
        line.setMarker(SeriesMarkers.NONE);
        return line;
    }

    private static XYSeries rule(XYChart chart, String name, double threshold, double highest) {
        double lowest = chart.getStyler().isYAxisLogarithmic() ? 1 : 0;
        XYSeries rule = line(chart, name, new double[] {threshold, threshold}, new double[] {lowest, highest});
        rule.setLineColor(Color.GRAY);
        return rule;
    }

    private static <T> double[] of(List<T> items, ToDoubleFunction<T> value) {
        return items.stream().mapToDouble(value).toArray();
    }

    /** S-curves by their names, and where the threshold stands. */
    static XYChart curves(Map<String, DoubleUnaryOperator> curves, OptionalDouble threshold) {
        XYChart chart = shares("Chance that two documents share a bucket", "similarity", "probability", HIGH);
        curves.forEach((name, probability) -> curve(chart, name, probability));
        threshold.ifPresent(similarity -> rule(chart, "threshold " + similarity, similarity, 1));
        return chart;
    }

    /**
     * How similar pairs are by the shingle proposed: steps on a logarithmic axis, what is kept apart in grey, what the
     * threshold makes duplicates in red, and a rule between them.
     */
    static XYChart pairs(Tuning tuning) {
        double threshold = tuning.proposal().threshold();
        SimilarityCounts counts = tuning.proposed().counts();
        int edge = SimilarityCounts.bin(threshold);
        XYChart chart = chart(
                format(
                        "%,d documents, %,d pairs compared in %s%s",
                        tuning.documents(),
                        tuning.pairs(),
                        tuning.proposal().shingle(),
                        tuning.excluded().isPresent() ? " without boilerplate" : ""),
                "similarity (Jaccard)",
                "pairs per 0.02, plus 1",
                HIGH,
                LegendPosition.InsideNE);
        chart.getStyler().setYAxisLogarithmic(true).setYAxisMin(1.0);
        double most = Math.max(
                steps("kept apart", 0, edge, KEPT, counts, chart),
                steps("duplicates", edge, SimilarityCounts.BINS, DUPLICATES, counts, chart));
        String kind = tuning.finding() == Finding.PARTED ? "" : ", the convention";
        rule(chart, "threshold " + threshold + kind, threshold, Math.max(10, most) + 1)
                .setLineStyle(
                        new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[] {8, 5}, 0));
        return chart;
    }

    /**
     * From the edge of the threshold to both sides. One is added, as a logarithmic axis begins at 1; where there is no
     * pair, nothing is drawn.
     */
    private static double steps(String name, int from, int to, Color color, SimilarityCounts counts, XYChart chart) {
        List<Double> similarities = new ArrayList<>();
        List<Double> pairs = new ArrayList<>();
        double most = 0;
        for (int bin = from - (from == 0 ? to % 2 : 0); bin < to; bin += 2) {
            int end = Math.min(bin + 2, to);
            double count = counts.pairs(Math.max(0, bin), end);
            double height = count > 0 ? count + 1 : Double.NaN;
            most = Math.max(most, count);
            similarities.addAll(List.of(Math.max(0, bin) / 100.0, end / 100.0));
            pairs.addAll(List.of(height, height));
        }
        if (!pairs.isEmpty()) {
            String legend = format("%s: %,.0f pairs", name, counts.pairs(from, to));
            XYSeries series = chart.addSeries(legend, similarities, pairs);
            series.setXYSeriesRenderStyle(XYSeriesRenderStyle.Area);
            series.setMarker(SeriesMarkers.NONE).setLineColor(color).setFillColor(color);
        }
        return most;
    }

    /** Recall by similarity, and below it scores by threshold or the number of pairs. */
    static void writeEvaluation(Path file, EvaluationReport report) throws IOException {
        Evaluation evaluation = report.evaluation();
        double threshold = report.config().threshold();
        List<XYChart> charts = new ArrayList<>();
        charts.add(recall(evaluation, report.config().banding()));
        rule(charts.get(0), "threshold", threshold, 1);
        if (evaluation.labels() == null) {
            XYChart pairs = chart("Pairs by similarity", "similarity", "pairs + 1", LOW, LegendPosition.InsideNW);
            pairs.getStyler().setYAxisLogarithmic(true);
            // A logarithmic axis has no 0.
            double[] all = of(evaluation.bins(), bin -> 1 + bin.pairs());
            pairs.addSeries("all", middles(evaluation.bins()), all);
            pairs.addSeries("found", middles(evaluation.bins()), of(evaluation.bins(), bin -> 1 + bin.found()));
            rule(pairs, "threshold", threshold, Arrays.stream(all).max().orElse(1));
            charts.add(pairs);
        } else {
            report.drawn().forEach(scores -> charts.add(scores(scores, report.proposed(scores))));
        }
        OutputFile.replace(file, out -> BitmapEncoder.saveBitmap(charts, charts.size(), 1, out, BitmapFormat.PNG));
    }

    private static XYChart recall(Evaluation evaluation, Banding curve) {
        XYChart chart = shares("Pairs that share a bucket", "similarity", "share of the pairs", LOW);
        curve(chart, "promised: " + curve.bands() + " bands x " + curve.rows() + " rows", curve::probability);
        List<Bin> bins =
                evaluation.bins().stream().filter(bin -> bin.pairs() > 0).toList();
        if (!bins.isEmpty()) {
            chart.addSeries("found, by bins of 0.05", middles(bins), of(bins, Bin::recall))
                    .setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
        }
        return chart;
    }

    private static double[] middles(List<Bin> bins) {
        return of(bins, bin -> (bin.from() + bin.to()) / 2);
    }

    private static XYChart scores(ShingleScores scores, Optional<AtThreshold> proposed) {
        XYChart chart = shares(
                "What people call duplicates, by threshold of " + EvaluationReport.cut(scores),
                "threshold",
                "share",
                LOW);
        // Where nothing is told there is no precision.
        List<AtThreshold> told =
                scores.sweep().stream().filter(at -> at.score().told() > 0).toList();
        if (!told.isEmpty()) {
            double[] thresholds = of(told, AtThreshold::threshold);
            line(chart, "precision", thresholds, of(told, at -> at.score().precision()));
            line(chart, "recall", thresholds, of(told, at -> at.score().recall()));
            line(chart, "F1", thresholds, of(told, at -> at.score().f1()));
        }
        rule(chart, "settings", scores.settings());
        proposed.ifPresent(at -> rule(chart, "proposal of tune", at).setLineColor(DUPLICATES));
        rule(chart, "best", scores.best()).setLineStyle(SeriesLines.DASH_DASH);
        return chart;
    }

    private static XYSeries rule(XYChart chart, String name, AtThreshold at) {
        String f1 = EvaluationReport.share(at.score().f1());
        return rule(chart, name + ": " + at.threshold() + ", F1 " + f1, at.threshold(), 1);
    }
}
