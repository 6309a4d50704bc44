package io.neardup.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommittedOutputTest {
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
}
