package io.neardup.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StampTest {

    @Test
    void shouldOrderByArrivalThenHomeThenSequence() {
        List<Stamp> oldestFirst = List.of(
                new Stamp(0, new Ref(9, 9)),
                new Stamp(5, new Ref(0, 7)),
                new Stamp(5, new Ref(0, 8)),
                new Stamp(5, new Ref(1, 0)),
                new Stamp(Long.MAX_VALUE, new Ref(0, 0)));

        for (int i = 0; i < oldestFirst.size(); i++) {
            for (int j = 0; j < oldestFirst.size(); j++) {
                assertThat(oldestFirst.get(i).isOlderThan(oldestFirst.get(j))).isEqualTo(i < j);
            }
        }
    }
}
