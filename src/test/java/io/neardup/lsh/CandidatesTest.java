package io.neardup.lsh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CandidatesTest {
    private final Candidates candidates = new Candidates();

    @Test
    void shouldCountTheBandsShared() {
        candidates.add(5, 1);
        candidates.add(-3, 1);
        candidates.add(5, 2);
        assertThat(entries()).containsExactly(Map.entry(5L, 3), Map.entry(-3L, 1));
    }

    @Test
    void shouldForgetEverythingWhenCleared() {
        candidates.add(5, 1);
        candidates.clear();
        assertThat(candidates.size()).isZero();
        candidates.add(5, 1);
        assertThat(entries()).containsExactly(Map.entry(5L, 1));
        assertThatThrownBy(() -> candidates.document(1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldKeepTheMostSharedThenTheSmallerReference() {
        candidates.add(9, 2);
        candidates.add(4, 1);
        candidates.add(-1, 2);
        candidates.add(7, 3);
        assertThat(candidates.keepBest(3)).isOne();
        assertThat(entries()).containsExactly(Map.entry(7L, 3), Map.entry(-1L, 2), Map.entry(9L, 2));
    }

    @Test
    void shouldStartADroppedDocumentFromNothing() {
        candidates.add(1, 2);
        candidates.add(2, 1);
        candidates.keepBest(1);
        candidates.add(2, 1);
        candidates.add(1, 1);
        assertThat(entries()).containsExactly(Map.entry(1L, 3), Map.entry(2L, 1));
    }

    @Test
    void shouldDropNothingWhenThereIsRoom() {
        assertThat(candidates.keepBest(0)).isZero();
        candidates.add(1, 1);
        assertThat(candidates.keepBest(10)).isZero();
        assertThat(candidates.keepBest(0)).isOne();
        assertThat(candidates.size()).isZero();
    }

    @Test
    void shouldAgreeWithASortedMap() {
        Random random = new Random(1);
        for (int round = 0; round < 300; round++) {
            candidates.clear();
            Map<Long, Integer> oracle = new LinkedHashMap<>();
            int additions = random.nextInt(400);
            for (int i = 0; i < additions; i++) {
                long document = ((long) random.nextInt(300) - 150) << 40;
                int bands = 1 + random.nextInt(3);
                candidates.add(document, bands);
                oracle.merge(document, bands, Integer::sum);
            }
            assertThat(entries()).isEqualTo(new ArrayList<>(oracle.entrySet()));
            int max = random.nextInt(200);
            int dropped = candidates.keepBest(max);
            assertThat(dropped).isEqualTo(Math.max(0, oracle.size() - max));
            assertThat(entries()).isEqualTo(best(oracle, max));
        }
    }

    private static List<Map.Entry<Long, Integer>> best(Map<Long, Integer> oracle, int max) {
        return oracle.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<Long, Integer> e) -> -e.getValue())
                        .thenComparing(Map.Entry::getKey))
                .limit(max)
                .toList();
    }

    private List<Map.Entry<Long, Integer>> entries() {
        List<Map.Entry<Long, Integer>> entries = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++) {
            entries.add(Map.entry(candidates.document(i), candidates.bandsShared(i)));
        }
        return entries;
    }
}
