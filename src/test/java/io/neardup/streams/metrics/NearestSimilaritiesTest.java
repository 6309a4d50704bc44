package io.neardup.streams.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.streams.metrics.NearestSimilarities.Counted;
import org.junit.jupiter.api.Test;

class NearestSimilaritiesTest {
    private static final long MINUTE = 60_000;
    private static final long NOW = 30_000_000 * MINUTE;

    private final NearestSimilarities nearest = new NearestSimilarities();

    @Test
    void shouldCountByHundredthsWhatBecameOfDocuments() {
        nearest.add(true, 1, NOW);
        // As doubles have it, a little less than 29 hundredths.
        nearest.add(false, 0.29, NOW);
        nearest.add(false, 0.2999, NOW);
        nearest.add(false, 0, NOW);

        Counted counted = nearest.ofHour(NOW);

        assertThat(counted.unique()).hasSize(100).startsWith(0L);
        assertThat(counted.unique().get(29)).isEqualTo(2);
        assertThat(counted.duplicates().get(99)).isEqualTo(1);
        assertThat(nearest.ofDay(NOW)).isEqualTo(counted);
    }

    @Test
    void shouldForgetWhatIsAnHourOrADayAgo() {
        nearest.add(true, 0.75, NOW - 59 * MINUTE);
        nearest.add(true, 0.75, NOW);

        assertThat(nearest.ofHour(NOW).duplicates().get(75)).isEqualTo(2);
        assertThat(nearest.ofHour(NOW + MINUTE).duplicates().get(75)).isEqualTo(1);
        assertThat(nearest.ofHour(NOW + 60 * MINUTE).duplicates().get(75)).isZero();
        assertThat(nearest.ofDay(NOW + 60 * MINUTE).duplicates().get(75)).isEqualTo(2);
        assertThat(nearest.ofDay(NOW + 25 * 60 * MINUTE).duplicates().get(75)).isZero();
    }
}
