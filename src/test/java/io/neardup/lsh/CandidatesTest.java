package io.neardup.lsh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CandidatesTest {
    private final Candidates candidates = new Candidates();

    @Test
    void shouldCountTheBandsShared() {
        candidates.add(5, 1, 1);
        candidates.add(-3, 2, 1);
        candidates.add(5, 1, 2);
        assertThat(entries()).containsExactly(Map.entry(5L, 3), Map.entry(-3L, 1));
    }

    @Test
    void shouldForgetEverythingWhenCleared() {
        candidates.add(5, 1, 1);
        candidates.clear();
        assertThat(candidates.size()).isZero();
        candidates.add(5, 1, 1);
        assertThat(entries()).containsExactly(Map.entry(5L, 1));
        assertThatThrownBy(() -> candidates.document(1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldKeepTheOldestOfEachNumberOfBandsInTurns() {
        candidates.add(10, 5, 3);
        candidates.add(11, 4, 3);
        candidates.add(12, 3, 3);
        candidates.add(20, 2, 1);
        candidates.add(21, 1, 1);
        candidates.add(30, 9, 2);
        assertThat(candidates.keepInTurns(5, number -> number)).isOne();
        assertThat(entries())
                .containsExactly(
                        Map.entry(12L, 3), Map.entry(30L, 2), Map.entry(21L, 1), Map.entry(11L, 3), Map.entry(20L, 1));
    }

    @Test
    void shouldKeepTheFirstTurnAlone() {
        candidates.add(10, 5, 3);
        candidates.add(11, 4, 3);
        candidates.add(20, 2, 1);
        assertThat(candidates.keepFirstTurn(number -> number)).isOne();
        assertThat(entries()).containsExactlyInAnyOrder(Map.entry(11L, 3), Map.entry(20L, 1));
    }

    @Test
    void shouldMoveThoseThatTheOtherKnowsAndThenTheRest() {
        Candidates other = new Candidates();
        other.add(1, 1, 1);
        candidates.add(2, 2, 1);
        candidates.add(1, 1, 2);

        candidates.moveKnown(other);
        assertThat(entries(other)).containsExactly(Map.entry(1L, 3));
        assertThat(entries()).containsExactly(Map.entry(2L, 1));
        candidates.moveAll(other);

        assertThat(entries(other)).containsExactly(Map.entry(1L, 3), Map.entry(2L, 1));
        assertThat(candidates.size()).isZero();
    }

    @Test
    void shouldStartADroppedDocumentFromNothing() {
        candidates.add(1, 1, 2);
        candidates.add(2, 2, 1);
        candidates.keepInTurns(1, number -> number);
        candidates.add(2, 2, 1);
        candidates.add(1, 1, 1);
        assertThat(entries()).containsExactly(Map.entry(1L, 3), Map.entry(2L, 1));
    }

    @Test
    void shouldDropNothingWhenThereIsRoom() {
        assertThat(candidates.keepInTurns(0, number -> number)).isZero();
        candidates.add(1, 1, 1);
        assertThat(candidates.keepInTurns(10, number -> number)).isZero();
        assertThat(candidates.keepInTurns(0, number -> number)).isOne();
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
                int number = random.nextInt(300);
                long document = (number - 150L) << 40;
                int bands = 1 + random.nextInt(3);
                candidates.add(document, number, bands);
                oracle.merge(document, bands, Integer::sum);
            }
            assertThat(entries()).isEqualTo(new ArrayList<>(oracle.entrySet()));
            int max = random.nextInt(200);
            int dropped = candidates.keepInTurns(max, number -> -number);
            assertThat(dropped).isEqualTo(Math.max(0, oracle.size() - max));
            assertThat(entries()).isEqualTo(inTurns(oracle).subList(0, oracle.size() - dropped));
        }
    }

    /** Of as many bands the greatest document first. */
    private static List<Map.Entry<Long, Integer>> inTurns(Map<Long, Integer> oracle) {
        Map<Integer, List<Map.Entry<Long, Integer>>> groups = new TreeMap<>(Comparator.reverseOrder());
        oracle.entrySet().stream()
                .sorted(Map.Entry.<Long, Integer>comparingByKey().reversed())
                .forEach(entry -> groups.computeIfAbsent(entry.getValue(), bands -> new ArrayList<>())
                        .add(entry));
        List<Map.Entry<Long, Integer>> inTurns = new ArrayList<>();
        for (int turn = 0; inTurns.size() < oracle.size(); turn++) {
            for (List<Map.Entry<Long, Integer>> group : groups.values()) {
                if (turn < group.size()) {
                    inTurns.add(group.get(turn));
                }
            }
        }
        return inTurns;
    }

    private List<Map.Entry<Long, Integer>> entries() {
        return entries(candidates);
    }

    private static List<Map.Entry<Long, Integer>> entries(Candidates of) {
        List<Map.Entry<Long, Integer>> entries = new ArrayList<>();
        for (int i = 0; i < of.size(); i++) {
            entries.add(Map.entry(of.document(i), of.bandsShared(i)));
        }
        return entries;
    }
}
