package io.neardup.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonRunTest {
    @Test
    void shouldTakeTheMiddle() {
        assertThat(ComparisonRun.median(List.of(5.0))).isEqualTo(5);
        assertThat(ComparisonRun.median(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
        assertThat(ComparisonRun.median(List.of(9.0, 1.0, 5.0, 6.0))).isEqualTo(5.5);
    }
}
