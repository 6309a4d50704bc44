package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.tools.analysis.SimilarityCounts;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TuningPlotTest {
    private static final SimilarityCounts COUNTS = new SimilarityCounts();

    static {
        for (int bin = 0; bin < SimilarityCounts.BINS; bin++) {
            COUNTS.add((bin + 0.5) / SimilarityCounts.BINS, 1);
        }
    }

    @ParameterizedTest
    @CsvSource({"0.7, 30", "0.755, 25", "0.7549, 25", "0.01, 99", "0.995, 1", "1, 1"})
    void shouldDrawAsDuplicatesWhatIsCountedAsSuch(double threshold, double duplicates) {
        List<String> lines = TuningPlot.lines(COUNTS, threshold);

        int rule = lines.indexOf(lines.stream()
                .filter(line -> line.contains(" threshold"))
                .findFirst()
                .orElseThrow());
        assertThat(COUNTS.pairsFrom(threshold)).isEqualTo(duplicates);
        assertThat(pairs(lines.subList(rule + 1, lines.size()))).isEqualTo(duplicates);
        assertThat(pairs(lines.subList(0, rule))).isEqualTo(100 - duplicates);
    }

    private static double pairs(List<String> lines) {
        return lines.stream()
                .mapToDouble(line -> Double.parseDouble(line.strip().split("\\s+", -1)[1]))
                .sum();
    }
}
