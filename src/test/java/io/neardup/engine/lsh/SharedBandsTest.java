package io.neardup.engine.lsh;

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

class SharedBandsTest {
    private final SharedBands sharedBands = new SharedBands();

    /** Documents and the bands that each shares, one after the other. */
    private static void add(SharedBands to, int... documentsAndBands) {
        for (int i = 0; i < documentsAndBands.length; i += 2) {
            to.add(documentsAndBands[i], documentsAndBands[i + 1]);
        }
    }

    @Test
    void shouldCountTheBandsSharedAndForgetThemWhenCleared() {
        add(sharedBands, 5, 1, 3, 1, 5, 2);
        assertThat(entries()).containsExactly(Map.entry(5L, 3), Map.entry(3L, 1));
        sharedBands.clear();
        assertThat(sharedBands.size()).isZero();
        sharedBands.add(5, 1);
        assertThat(entries()).containsExactly(Map.entry(5L, 1));
        assertThatThrownBy(() -> sharedBands.document(1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldKeepTheOldestOfEachNumberOfBandsInTurns() {
        add(sharedBands, 15, 3, 14, 3, 13, 3, 22, 1, 21, 1, 39, 2);
        assertThat(sharedBands.keepInTurns(5, number -> number)).isOne();
        assertThat(entries())
                .containsExactly(
                        Map.entry(13L, 3), Map.entry(39L, 2), Map.entry(21L, 1), Map.entry(14L, 3), Map.entry(22L, 1));
    }

    @Test
    void shouldKeepTheFirstTurnAlone() {
        add(sharedBands, 15, 3, 14, 3, 22, 1);
        assertThat(sharedBands.keepFirstTurn(number -> number)).isOne();
        assertThat(entries()).containsExactlyInAnyOrder(Map.entry(14L, 3), Map.entry(22L, 1));
    }

    @Test
    void shouldTakeOutOne() {
        add(sharedBands, 1, 1, 2, 3);
        sharedBands.remove(1);
        sharedBands.remove(3);
        assertThat(entries()).containsExactly(Map.entry(2L, 3));
    }

    @Test
    void shouldMoveThoseThatTheOtherKnowsAndThenTheRest() {
        SharedBands other = new SharedBands();
        other.add(1, 1);
        add(sharedBands, 2, 1, 1, 2);
        sharedBands.moveKnown(other);
        assertThat(entries(other)).containsExactly(Map.entry(1L, 3));
        assertThat(entries()).containsExactly(Map.entry(2L, 1));
        sharedBands.moveAll(other);
        assertThat(entries(other)).containsExactly(Map.entry(1L, 3), Map.entry(2L, 1));
        assertThat(sharedBands.size()).isZero();
    }

    @Test
    void shouldStartADroppedDocumentFromNothing() {
        add(sharedBands, 1, 2, 2, 1);
        sharedBands.keepInTurns(1, number -> number);
        add(sharedBands, 2, 1, 1, 1);
        assertThat(entries()).containsExactly(Map.entry(1L, 3), Map.entry(2L, 1));
    }

    @Test
    void shouldDropNothingWhenThereIsRoom() {
        assertThat(sharedBands.keepInTurns(0, number -> number)).isZero();
        sharedBands.add(1, 1);
        assertThat(sharedBands.keepInTurns(10, number -> number)).isZero();
        assertThat(sharedBands.keepInTurns(0, number -> number)).isOne();
        assertThat(sharedBands.size()).isZero();
    }

    @Test
    void shouldAgreeWithASortedMap() {
        Random random = new Random(1);
        for (int round = 0; round < 300; round++) {
            sharedBands.clear();
            Map<Long, Integer> oracle = new LinkedHashMap<>();
            int additions = random.nextInt(400);
            for (int i = 0; i < additions; i++) {
                int number = 1 + random.nextInt(300);
                int bands = 1 + random.nextInt(3);
                sharedBands.add(number, bands);
                oracle.merge((long) number, bands, Integer::sum);
            }
            assertThat(entries()).isEqualTo(new ArrayList<>(oracle.entrySet()));
            int max = random.nextInt(200);
            int dropped = sharedBands.keepInTurns(max, number -> -number);
            assertThat(dropped).isEqualTo(Math.max(0, oracle.size() - max));
            assertThat(entries()).isEqualTo(inTurns(oracle).subList(0, oracle.size() - dropped));
        }
    }

    /** The oracle: of documents that share equally many bands the greatest comes first. */
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
        return entries(sharedBands);
    }

    private static List<Map.Entry<Long, Integer>> entries(SharedBands of) {
        of.name(number -> number);
        List<Map.Entry<Long, Integer>> entries = new ArrayList<>();
        for (int i = 0; i < of.size(); i++) {
            entries.add(Map.entry(of.document(i), of.bandsShared(i)));
        }
        return entries;
    }
}
