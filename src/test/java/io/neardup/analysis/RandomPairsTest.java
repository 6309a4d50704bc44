package io.neardup.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.analysis.RandomPairs.Pair;
import java.util.List;
import org.junit.jupiter.api.Test;

class RandomPairsTest {

    @Test
    void shouldTakeAllPairsWhereThereAreNoMore() {
        assertThat(RandomPairs.of(4, 6, 1))
                .containsExactly(
                        new Pair(0, 1), new Pair(0, 2), new Pair(0, 3), new Pair(1, 2), new Pair(1, 3), new Pair(2, 3));
        assertThat(RandomPairs.of(2, 50_000, 1)).containsExactly(new Pair(0, 1));
        assertThat(RandomPairs.of(1, 10, 1)).isEmpty();
    }

    @Test
    void shouldDrawDifferentPairsOfDifferentDocuments() {
        List<Pair> pairs = RandomPairs.of(40, 700, 1);

        assertThat(pairs).hasSize(700).doesNotHaveDuplicates().allSatisfy(pair -> assertThat(pair.first())
                .isBetween(0, pair.second() - 1));
        assertThat(pairs).allSatisfy(pair -> assertThat(pair.second()).isLessThan(40));
    }

    @Test
    void shouldDrawTheSameFromTheSameSeed() {
        assertThat(RandomPairs.of(40, 100, 5))
                .isEqualTo(RandomPairs.of(40, 100, 5))
                .isNotEqualTo(RandomPairs.of(40, 100, 6));
    }

    @Test
    void shouldDrawEachPairWithTheSameChance() {
        int[] drawn = new int[10 * 10];

        for (int seed = 0; seed < 4_500; seed++) {
            RandomPairs.of(10, 10, seed).forEach(pair -> drawn[pair.first() * 10 + pair.second()]++);
        }

        // 1,000 expected of each of the 45 pairs; the standard deviation is 28.
        for (int first = 0; first < 10; first++) {
            for (int second = first + 1; second < 10; second++) {
                assertThat(drawn[first * 10 + second]).isBetween(860, 1_140);
            }
        }
    }
}
