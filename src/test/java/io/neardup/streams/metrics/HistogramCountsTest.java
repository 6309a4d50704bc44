package io.neardup.streams.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HistogramCountsTest {
    private final HistogramCounts counts = new HistogramCounts(1, 2);
    private final HistogramCounts.Observations observations = counts.observations();

    @Test
    void shouldCountByTheHighestValueOfEachBucket() {
        observations.note(1);
        observations.note(1.5, 3);
        observations.note(7, 2);

        observations.count();

        assertThat(counts.snapshot().counts()).containsExactly(1, 3, 2);
        assertThat(counts.snapshot().sum()).isEqualTo(1 + 3 * 1.5 + 2 * 7);
    }

    @Test
    void shouldCountNothingTwiceAndNothingBeforeItCounts() {
        observations.note(1);
        assertThat(counts.snapshot().counts()).containsExactly(0, 0, 0);

        observations.count();
        observations.count();

        assertThat(counts.snapshot().counts()).containsExactly(1, 0, 0);
    }
}
