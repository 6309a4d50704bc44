package io.neardup.engine.lsh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SharedBandsTest {
    private final SharedBands sharedBands = new SharedBands();

    /** Documents and the number of bands that each shares, one after the other. */
    private void add(int... documentsAndBands) {
        for (int i = 0; i < documentsAndBands.length; i += 2) {
            for (int band = 0; band < documentsAndBands[i + 1]; band++) {
                sharedBands.add(documentsAndBands[i]);
            }
        }
    }

    @Test
    void shouldTakeOutOne() {
        add(1, 1, 2, 3);
        sharedBands.remove(1);
        sharedBands.remove(3);
        assertThat(entries()).containsExactly(Map.entry(2L, 3));
    }

    @Test
    void shouldStartADroppedDocumentFromNothing() {
        add(1, 2, 2, 1);
        sharedBands.keepMostShared(1);
        add(2, 1, 1, 1);
        assertThat(entries()).containsExactly(Map.entry(1L, 3), Map.entry(2L, 1));
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
                add(number, bands);
                oracle.merge((long) number, bands, Integer::sum);
            }
            assertThat(entries()).isEqualTo(new ArrayList<>(oracle.entrySet()));
            int max = random.nextInt(200);
            int dropped = sharedBands.keepMostShared(max);
            assertThat(dropped).isEqualTo(Math.max(0, oracle.size() - max));
            assertThat(entries()).isEqualTo(mostShared(oracle).subList(0, oracle.size() - dropped));
        }
    }

    /** The oracle: of documents that share equally many bands the smallest number comes first. */
    private static List<Map.Entry<Long, Integer>> mostShared(Map<Long, Integer> oracle) {
        return oracle.entrySet().stream()
                .sorted(Map.Entry.<Long, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .toList();
    }

    private List<Map.Entry<Long, Integer>> entries() {
        sharedBands.name(number -> number);
        List<Map.Entry<Long, Integer>> entries = new ArrayList<>();
        for (int i = 0; i < sharedBands.size(); i++) {
            entries.add(Map.entry(sharedBands.document(i), sharedBands.bandsShared(i)));
        }
        return entries;
    }
}
