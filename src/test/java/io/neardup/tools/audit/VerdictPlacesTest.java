package io.neardup.tools.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.record.Verdict.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VerdictPlacesTest {
    private final VerdictPlaces places = new VerdictPlaces();

    private static Position at(long offset) {
        return new Position("documents", 0, offset);
    }

    /** As the verifier does it, with records at every offset. */
    private void read(long records, List<Long> verdicts) {
        long next = 0;
        for (long verdict : verdicts) {
            if (places.isNext(at(verdict))) {
                for (; next < Math.min(records, verdict); next++) {
                    places.passOver(at(next));
                }
                if (next < records) {
                    places.match();
                    next++;
                } else {
                    places.noRecord(at(verdict), false);
                }
            }
        }
        for (; next < records; next++) {
            places.noteNotLeft();
        }
        places.endPartition("documents", 0);
    }

    private static long count(Breaks breaks, String kind) {
        Breaks.Kind found = breaks.kinds().get(kind);
        return found == null ? 0 : found.count();
    }

    @Test
    void shouldPassOverWhatWasTakenBeforeTheFirstVerdictAndCountWhatHasNotLeft() {
        read(10, List.of(3L, 4L, 5L));

        assertThat(places.conservation().isEmpty()).isTrue();
        assertThat(places.passedOver()).isEqualTo(3);
        assertThat(places.matched()).isEqualTo(3);
        assertThat(places.notLeft()).isEqualTo(4);
    }

    @Test
    void shouldFindAVerdictOnNoRecord() {
        read(3, List.of(0L, 1L, 2L, 7L));

        assertThat(count(places.conservation(), "of no record")).isEqualTo(1);
    }

    /** Against counts by brute force: each offset is lost, there once, or there more often; some are late. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void shouldCountWhatIsLostDoubledAndLate(int seed) {
        Random random = new Random(seed);
        List<Long> verdicts = new ArrayList<>(LongStream.range(0, 200).boxed().toList());
        for (int i = 0; i < 20; i++) {
            int place = 1 + random.nextInt(verdicts.size() - 2);
            switch (random.nextInt(3)) {
                case 0 -> verdicts.remove(place);
                case 1 -> verdicts.add(place, verdicts.get(place));
                default -> Collections.swap(verdicts, place, place + 1);
            }
        }
        read(200, verdicts);

        Map<Long, Integer> times = new HashMap<>();
        verdicts.forEach(offset -> times.merge(offset, 1, Integer::sum));
        long last = verdicts.stream().mapToLong(Long::longValue).max().orElseThrow();
        long first = verdicts.get(0);
        long lost = LongStream.range(first, last)
                .filter(offset -> !times.containsKey(offset))
                .count();
        assertThat(count(places.conservation(), "lost")).isEqualTo(lost);
        assertThat(count(places.conservation(), "doubled")).isEqualTo(verdicts.size() - times.size());
        assertThat(places.matched()).isEqualTo(times.size());
        assertThat(count(places.order(), "out of order")).isEqualTo(late(verdicts));
    }

    /** Those that come for the first time, behind a later one. */
    private static long late(List<Long> verdicts) {
        long late = 0;
        for (int i = 0; i < verdicts.size(); i++) {
            long offset = verdicts.get(i);
            List<Long> before = verdicts.subList(0, i);
            boolean isFirst = !before.contains(offset);
            late += isFirst && before.stream().anyMatch(other -> other > offset) ? 1 : 0;
        }
        return late;
    }
}
