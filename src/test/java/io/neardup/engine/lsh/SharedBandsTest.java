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

    /** What was dropped, or taken out, begins anew when it comes again. */
    @Test
    void shouldAgreeWithASortedMap() {
        Random random = new Random(1);
        for (int round = 0; round < 300; round++) {
            sharedBands.clear();
            Map<Long, Integer> oracle = new LinkedHashMap<>();
            for (int turn = 0; turn < 2; turn++) {
                addSome(random, oracle);
                int taken = 1 + random.nextInt(300);
                sharedBands.remove(taken);
                oracle.remove((long) taken);
                assertThat(entries()).isEqualTo(new ArrayList<>(oracle.entrySet()));
                int max = random.nextInt(200);
                int dropped = sharedBands.keepMostShared(max);
                assertThat(dropped).isEqualTo(Math.max(0, oracle.size() - max));
                List<Map.Entry<Long, Integer>> kept = mostShared(oracle).subList(0, oracle.size() - dropped);
                assertThat(entries()).isEqualTo(kept);
                oracle.clear();
                kept.forEach(entry -> oracle.put(entry.getKey(), entry.getValue()));
            }
        }
    }

    private void addSome(Random random, Map<Long, Integer> oracle) {
        for (int additions = random.nextInt(400); additions > 0; additions--) {
            int number = 1 + random.nextInt(300);
            sharedBands.add(number);
            oracle.merge((long) number, 1, Integer::sum);
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
