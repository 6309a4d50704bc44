package io.neardup.tools.cli;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;

/** What the charts of the commands have in common. */
final class Picture {
    static final int WIDTH = 900;

    private Picture() {}

    /** An empty chart of similarities from 0 to 1, for machines with and without a screen. */
    static XYChart bySimilarity(String title, String x, String y, int height, LegendPosition legend) {
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

    /**
     * Writes a chart, replacing what is there.
     *
     * @param format {@code png} or {@code svg}
     */
    static void write(Path file, XYChart chart, String format) throws IOException {
        OutputFile.replace(file, out -> ChartEncoder.saveChart(chart, out, format));
    }
}
