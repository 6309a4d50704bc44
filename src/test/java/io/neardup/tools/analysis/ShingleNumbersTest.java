package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ShingleNumbersTest {

    @Test
    void shouldKeepNumbersAndCountsWhileItGrows() {
        ShingleNumbers numbers = new ShingleNumbers();
        long[] hashes = new SplittableRandom(1).longs(5_000).toArray();

        for (int i = 0; i < hashes.length; i++) {
            assertThat(numbers.meet(hashes[i])).isEqualTo(i);
        }
        for (int i = 0; i < hashes.length; i += 2) {
            assertThat(numbers.meet(hashes[i])).isEqualTo(i);
        }

        assertThat(numbers.counts()).hasSize(5_000).startsWith(2, 1, 2, 1).endsWith(2, 1);
    }

    @Test
    void shouldTellHashesApartThatShareASlot() {
        ShingleNumbers numbers = new ShingleNumbers();

        assertThat(numbers.meet(0)).isZero();
        assertThat(numbers.meet(1L << 40)).isOne();
        assertThat(numbers.meet(0)).isZero();
        assertThat(numbers.counts()).containsExactly(2, 1);
    }

    @Test
    void shouldSayHowManyAreTooMany() {
        ShingleNumbers numbers = new ShingleNumbers(2_048);
        for (long hash = 0; hash < 1_024; hash++) {
            numbers.meet(hash);
        }

        assertThat(numbers.meet(5)).isEqualTo(5);
        assertThatThrownBy(() -> numbers.meet(1_024))
                .isInstanceOf(SampleTooLargeException.class)
                .hasMessage("Different shingles of all documents: expected at most 1024, found more");
    }
}
