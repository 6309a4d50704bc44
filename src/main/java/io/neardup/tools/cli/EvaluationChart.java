package io.neardup.tools.cli;

import io.neardup.engine.lsh.Banding;
import io.neardup.tools.analysis.AtThreshold;
import io.neardup.tools.analysis.Bin;
import io.neardup.tools.analysis.Evaluation;
import io.neardup.tools.analysis.LabelReport;
import io.neardup.tools.analysis.Score;
import io.neardup.tools.analysis.ShingleScores;
import io.neardup.tools.analysis.Tuning;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws what settings find: recall by similarity, and below it scores by threshold or the number of pairs. */
final class EvaluationChart {
    private static final int HEIGHT = 500;
    private static final Color PROPOSAL = new Color(0xC03028);
    private static final int POINTS = 400;

    private EvaluationChart() {}

    static void writePng(Path file, Evaluation evaluation, Banding curve, double threshold, @Nullable Tuning tuning)
            throws IOException {
        LabelReport labels = evaluation.labels();
        List<XYChart> charts = new ArrayList<>();
        charts.add(recall(evaluation, curve));
        addThreshold(charts.get(0), "threshold", threshold, 1);
        if (labels == null) {
            XYChart pairs = pairs(evaluation.bins());
            double highest = evaluation.bins().stream()
                    .mapToDouble(bin -> 1 + bin.pairs())
                    .max()
                    .orElse(1);
            addThreshold(pairs, "threshold", threshold, highest);
            charts.add(pairs);
        } else {
            LabelText text = new LabelText(labels, tuning);
            text.drawn().forEach(scores -> charts.add(scores(scores, text.proposed(scores))));
        }
        OutputFile.replace(file, out -> BitmapEncoder.saveBitmap(charts, charts.size(), 1, out, BitmapFormat.PNG));
    }

    private static XYSeries addThreshold(XYChart chart, String name, double threshold, double highest) {
        double lowest = chart.getStyler().isYAxisLogarithmic() ? 1 : 0;
        XYSeries line = chart.addSeries(name, new double[] {threshold, threshold}, new double[] {lowest, highest});
        line.setMarker(SeriesMarkers.NONE).setLineColor(Color.GRAY);
        return line;
    }

    private static XYChart recall(Evaluation evaluation, Banding curve) {
        XYChart chart = chart("Pairs that share a bucket", "similarity", "share of the pairs");
        chart.getStyler().setYAxisMin(0.0).setYAxisMax(1.0);
        double[] similarities = IntStream.rangeClosed(0, POINTS)
                .mapToDouble(i -> i / (double) POINTS)
                .toArray();
        chart.addSeries(
                        "promised: " + curve.bands() + " bands x " + curve.rows() + " rows",
                        similarities,
                        IntStream.rangeClosed(0, POINTS)
                                .mapToDouble(i -> curve.probability(similarities[i]))
                                .toArray())
                .setMarker(SeriesMarkers.NONE);
        List<Bin> bins =
                evaluation.bins().stream().filter(bin -> bin.pairs() > 0).toList();
        if (!bins.isEmpty()) {
            chart.addSeries("found, by bins of 0.05", middles(bins), of(bins, Bin::recall))
                    .setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
        }
        return chart;
    }

    private static XYChart pairs(List<Bin> bins) {
        XYChart chart = chart("Pairs by similarity", "similarity", "pairs + 1");
        chart.getStyler().setYAxisLogarithmic(true);
        // A logarithmic axis has no 0.
        chart.addSeries("all", middles(bins), of(bins, bin -> 1 + bin.pairs()));
        chart.addSeries("found", middles(bins), of(bins, bin -> 1 + bin.found()));
        return chart;
    }

    private static XYChart scores(ShingleScores scores, Optional<AtThreshold> proposed) {
        XYChart chart =
                chart("What people call duplicates, by threshold of " + LabelText.cut(scores), "threshold", "share");
        chart.getStyler().setYAxisMin(0.0).setYAxisMax(1.0);
        // Where nothing is told there is no precision.
        List<AtThreshold> told =
                scores.sweep().stream().filter(at -> at.score().told() > 0).toList();
        if (!told.isEmpty()) {
            add(chart, "precision", told, Score::precision);
            add(chart, "recall", told, Score::recall);
            add(chart, "F1", told, Score::f1);
        }
        addThreshold(
                chart, named("settings", scores.settings()), scores.settings().threshold(), 1);
        proposed.ifPresent(at -> addThreshold(chart, named("proposal of tune", at), at.threshold(), 1)
                .setLineColor(PROPOSAL));
        addThreshold(chart, named("best", scores.best()), scores.best().threshold(), 1)
                .setLineStyle(SeriesLines.DASH_DASH);
        return chart;
    }

    private static String named(String name, AtThreshold at) {
        return name + ": " + at.threshold() + ", F1 "
                + EvaluationText.share(at.score().f1());
    }

    private static void add(XYChart chart, String name, List<AtThreshold> told, ToDoubleFunction<Score> value) {
        chart.addSeries(name, of(told, AtThreshold::threshold), of(told, at -> value.applyAsDouble(at.score())))
                .setMarker(SeriesMarkers.NONE);
    }

    private static XYChart chart(String title, String x, String y) {
        return Picture.bySimilarity(title, x, y, HEIGHT, LegendPosition.InsideNW);
    }

    private static double[] middles(List<Bin> bins) {
        return of(bins, bin -> (bin.from() + bin.to()) / 2);
    }

    private static <T> double[] of(List<T> items, ToDoubleFunction<T> value) {
        return items.stream().mapToDouble(value).toArray();
    }
}
