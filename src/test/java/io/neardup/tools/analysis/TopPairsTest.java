package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TopPairsTest {

    @Test
    void shouldKeepTheMostSimilarPairsWithinItsBound() {
        SplittableRandom random = new SplittableRandom(1);
        double[] similarities = random.doubles(5_000).toArray();
        TopPairs top = new TopPairs(300);
        for (int pair = 0; pair < similarities.length; pair++) {
            top.pair(pair, pair + 1, similarities[pair]);
        }

        List<Long> best = IntStream.range(0, similarities.length)
                .boxed()
                .sorted(Comparator.comparingDouble(pair -> -similarities[pair]))
                .limit(300)
                .map(pair -> (long) pair << Integer.SIZE | pair + 1)
                .toList();
        assertThat(top.keys()).containsExactlyInAnyOrder(best.stream().toArray(Long[]::new));
    }

    @Test
    void shouldLeaveOutEquallySimilarOnesThatDoNotFit() {
        TopPairs top = new TopPairs(2);
        top.pair(0, 1, 0.9);
        top.pair(0, 2, 0.5);
        top.pair(0, 3, 0.5);

        assertThat(top.keys()).containsExactly(1L);
    }
}
