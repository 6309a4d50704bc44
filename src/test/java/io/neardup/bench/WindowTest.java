package io.neardup.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.bench.Window.Sample;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WindowTest {
    private static final long MILLI = 1_000_000;

    /**
     * Nothing for a second, then 100 documents every 100 ms at 40 and 10 us each, then half a second for the last ones.
     */
    private static List<Sample> drain() {
        List<Sample> samples = new ArrayList<>();
        samples.add(new Sample(0, 0, 500 * MILLI, 300 * MILLI));
        for (int i = 0; i < 100; i++) {
            samples.add(new Sample((1_000 + 100 * i) * MILLI, 100L * i, (600 + 4 * i) * MILLI, (310 + i) * MILLI));
        }
        samples.add(new Sample(11_500 * MILLI, 10_000, 1_100 * MILLI, 500 * MILLI));
        return samples;
    }

    @Test
    void shouldLeaveStartAndEndOutOfTheRateAndNotOfTheProcessorTime() {
        Window window = Window.of(drain());

        assertThat(window.documents()).isEqualTo(8_500);
        assertThat(window.speed().documentsPerSecond()).isCloseTo(1_000, within(1e-6));
        assertThat(window.cpuMicrosPerDocument()).isCloseTo(60, within(1e-6));
        assertThat(window.brokerCpuMicrosPerDocument()).isCloseTo(20, within(1e-6));
    }

    @Test
    void shouldTakeAllOfADrainInOneStep() {
        Window window = Window.of(List.of(new Sample(0, 0, 0, 0), new Sample(500 * MILLI, 50, MILLI, 2 * MILLI)));

        assertThat(window).isEqualTo(new Window(50, 0.5, 20, 40));
    }

    @Test
    void shouldDrawRatesFromTheFirstDocumentToTheLast() {
        List<RateChart.Point> points = RateChart.points(drain());

        assertThat(points.get(0)).isEqualTo(new RateChart.Point(0.5, 1_000));
        assertThat(points).hasSize(20);
        assertThat(points.get(18).documentsPerSecond()).isCloseTo(1_000, within(1e-6));
    }

    @Test
    void shouldCountRecordsBelowAnEnd() {
        CommittedOutput.OffsetList offsets = new CommittedOutput.OffsetList();
        for (int i = 0; i < 5_000; i++) {
            // Every tenth offset is the marker of a transaction.
            if (i % 10 != 9) {
                offsets.add(i);
            }
        }
        assertThat(offsets.below(Long.MAX_VALUE)).isEqualTo(4_500);
        assertThat(offsets.below(0)).isZero();
        assertThat(offsets.below(9)).isEqualTo(9);
        assertThat(offsets.below(10)).isEqualTo(9);
        assertThat(offsets.below(11)).isEqualTo(10);
        assertThat(offsets.below(1_000_000)).isEqualTo(4_500);
    }

    @Test
    void shouldTakeTheMiddle() {
        assertThat(ComparisonRun.median(List.of(5.0))).isEqualTo(5);
        assertThat(ComparisonRun.median(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
        assertThat(ComparisonRun.median(List.of(9.0, 1.0, 5.0, 6.0))).isEqualTo(5.5);
    }
}
