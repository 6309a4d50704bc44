package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ArrivalOrderTest {

    @Test
    void shouldOrderByArrivalThenCoordinatorThenSequence() {
        List<ArrivalOrder> oldestFirst = List.of(
                new ArrivalOrder(0, new DocumentRef(9, 9)),
                new ArrivalOrder(5, new DocumentRef(0, 7)),
                new ArrivalOrder(5, new DocumentRef(0, 8)),
                new ArrivalOrder(5, new DocumentRef(1, 0)),
                new ArrivalOrder(Long.MAX_VALUE, new DocumentRef(0, 0)));

        for (int i = 0; i < oldestFirst.size(); i++) {
            for (int j = 0; j < oldestFirst.size(); j++) {
                assertThat(oldestFirst.get(i).isOlderThan(oldestFirst.get(j))).isEqualTo(i < j);
            }
        }
    }
}
