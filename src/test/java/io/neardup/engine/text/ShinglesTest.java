package io.neardup.engine.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class ShinglesTest {
    @Test
    void shouldGrowAndKeepWhatItHolds() {
        Shingles shingles = new Shingles();
        for (long i = 0; i < 10_000; i++) {
            shingles.add(i);
        }

        assertThat(shingles.size()).isEqualTo(10_000);
        assertThat(shingles.hash(9_999)).isEqualTo(9_999).isEqualTo(shingles.array()[9_999]);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> shingles.hash(10_000));
    }

    @Test
    void shouldForgetWhenCleared() {
        Shingles shingles = new Shingles();
        shingles.add(7);

        shingles.clear();

        assertThat(shingles.size()).isZero();
    }

    @Test
    void shouldCountDistinctHashesInASet() {
        ShingleSet set = ShingleSet.of(shingles(3, 1, 3, -1, 0, 0));

        assertThat(set.size()).isEqualTo(4);
        assertThat(set.jaccard(ShingleSet.of(shingles(0, 1, 9)))).isEqualTo(2 / 5.0);
    }

    @Test
    void shouldNotMatchEmptySets() {
        ShingleSet empty = ShingleSet.of(shingles());

        assertThat(empty.jaccard(empty)).isZero();
        assertThat(empty.jaccard(ShingleSet.of(shingles(1)))).isZero();
    }

    private static Shingles shingles(long... hashes) {
        Shingles shingles = new Shingles();
        for (long hash : hashes) {
            shingles.add(hash);
        }
        return shingles;
    }
}
