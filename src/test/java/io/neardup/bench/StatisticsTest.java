package io.neardup.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatisticsTest {
    @Test
    void shouldTakeTheMiddle() {
        assertThat(Statistics.median(List.of(5.0))).isEqualTo(5);
        assertThat(Statistics.median(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
        assertThat(Statistics.median(List.of(9.0, 1.0, 5.0, 6.0))).isEqualTo(5.5);
    }

    @Test
    void shouldTakeTheNearestRank() {
        List<Double> values =
                IntStream.rangeClosed(1, 200).mapToObj(i -> (double) i).toList();
        assertThat(Statistics.percentile(values, 0.5)).isEqualTo(100);
        assertThat(Statistics.percentile(values, 0.99)).isEqualTo(198);
        assertThat(Statistics.percentile(values, 1)).isEqualTo(200);
        assertThat(Statistics.percentile(List.of(7.0), 0.99)).isEqualTo(7);
    }

    @Test
    void shouldRefuseNothing() {
        assertThatThrownBy(() -> Statistics.median(List.of())).hasMessageContaining("at least one value");
    }
}
