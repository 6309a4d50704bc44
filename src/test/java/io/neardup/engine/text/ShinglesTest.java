package io.neardup.engine.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ShinglesTest {
    @Test
    void shouldGrowAndKeepWhatItHolds() {
        Shingles shingles = ShingleLists.of(LongStream.range(0, 10_000).toArray());
        assertThat(shingles.size()).isEqualTo(10_000);
        assertThat(shingles.hash(9_999)).isEqualTo(9_999).isEqualTo(shingles.array()[9_999]);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> shingles.hash(10_000));
    }

    @Test
    void shouldCountDistinctHashesInASet() {
        ShingleSet set = ShingleSet.of(ShingleLists.of(3, 1, 3, -1, 0, 0));
        ShingleSet empty = ShingleSet.of(ShingleLists.of());
        assertThat(set.size()).isEqualTo(4);
        assertThat(set.jaccard(ShingleSet.of(ShingleLists.of(0, 1, 9)))).isEqualTo(2 / 5.0);
        assertThat(empty.jaccard(empty)).isZero();
        assertThat(empty.jaccard(set)).isZero();
    }
}
