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
}
