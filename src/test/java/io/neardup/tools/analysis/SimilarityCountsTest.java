package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SimilarityCountsTest {
    private final SimilarityCounts counts = new SimilarityCounts();

    @Test
    void shouldCountAPairInItsHundredth() {
        for (int hundredth = 0; hundredth < 100; hundredth++) {
            assertThat(SimilarityCounts.bin(hundredth / 100.0)).isEqualTo(hundredth);
            assertThat(SimilarityCounts.bin(hundredth * 0.01)).isEqualTo(hundredth);
            assertThat(SimilarityCounts.bin((hundredth + 0.99) / 100)).isEqualTo(hundredth);
        }
        assertThat(SimilarityCounts.bin(1)).isEqualTo(99);
    }

    @Test
    void shouldCountAPairAsOftenAsItStandsForOthers() {
        counts.add(0.2, 3);
        counts.add(0.7, 1);
        counts.add(1, 2);

        assertThat(counts.pairs()).isEqualTo(6);
        assertThat(counts.pairs(20, 21)).isEqualTo(3);
        assertThat(counts.pairsFrom(0.7)).isEqualTo(3);
    }

    @Test
    void shouldTellWhatAShareStaysBelow() {
        for (int i = 0; i < 100; i++) {
            counts.add(i / 100.0, 1);
        }

        assertThat(counts.quantile(0.5)).isEqualTo(0.5);
        assertThat(counts.quantile(1)).isEqualTo(1);
        assertThat(new SimilarityCounts().quantile(0.5)).isZero();
    }

    @Test
    void shouldTakeTheMeanOfAFunctionOverWhatLiesBelow() {
        counts.add(0.101, 1);
        counts.add(0.103, 1);
        counts.add(0.5, 2);
        counts.add(0.9, 7);

        assertThat(counts.mean(90, similarity -> similarity)).isCloseTo((0.101 + 0.103 + 1) / 4, within(1e-12));
        assertThat(counts.mean(5, similarity -> similarity)).isZero();
    }
}
