package io.neardup.streams.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.engine.protocol.MigrationSource.Handover;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TakeoverTest {
    /** Of the first records the input has lost some. */
    private static final Map<TopicPartition, Long> BEGINNINGS = Map.of(
            new TopicPartition("in", 0), 1L,
            new TopicPartition("in", 1), 2L,
            new TopicPartition("in", 2), 3L,
            new TopicPartition("narrow", 0), 4L);

    @Test
    void shouldBeginWhereThePredecessorStoppedAndWithAllOfMorePartitions() {
        Map<Integer, Map<String, Long>> left =
                Map.of(0, Map.of("in", 5L, "narrow", 9L), 1, Map.of("in", 6L, "narrow", Handover.BEGINNING));

        assertThat(Takeover.starts(left, BEGINNINGS, 2, 3))
                .containsExactly(Map.of("in", 5L, "narrow", 9L), Map.of("in", 6L), Map.of("in", 0L));
    }

    @Test
    void shouldBeginWithTheFirstRecordThatIsThereWhereThePredecessorTookNone() {
        Map<Integer, Map<String, Long>> left =
                Map.of(0, Map.of("in", 5L, "narrow", Handover.BEGINNING), 1, Map.of("in", Handover.BEGINNING));

        assertThat(Takeover.starts(left, BEGINNINGS, 2, 2))
                .containsExactly(Map.of("in", 5L, "narrow", 4L), Map.of("in", 2L));
    }

    @Test
    void shouldRefuseWhereACoordinatorHasNotSaidWhereItStopped() {
        Map<Integer, Map<String, Long>> left = Map.of(0, Map.of("in", 5L), 1, Map.of("in", 6L));

        assertThatThrownBy(() -> Takeover.starts(left, BEGINNINGS, 2, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("partition 0 of topic narrow: expected where the predecessor stopped");
        assertThatThrownBy(() -> Takeover.starts(Map.of(), BEGINNINGS, 2, 2))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldBeginTheEventClockWithTheLowestOfTheCoordinatorsThatOriginalsAreOf() {
        SeedPlan seeds = new SeedPlan(List.of(new SeedPlan.Topic("seed", "id", List.of(7L, 7L))), false);
        Map<Integer, Long> left = Map.of(0, 9L, 1, 5L);

        assertThat(Takeover.eventMillis(left, after(SeedPlan.NONE, 2))).containsExactly(9L, 5L);
        assertThat(Takeover.eventMillis(left, after(SeedPlan.NONE, 4))).containsExactly(5L, 5L, 5L, 5L);
        assertThat(Takeover.eventMillis(left, after(seeds, 2))).containsExactly(9L, 5L);
        assertThat(Takeover.eventMillis(left, after(seeds, 5))).containsExactly(9L, 5L, 9L, 5L, 9L);
        assertThat(Takeover.eventMillis(Map.of(), after(SeedPlan.NONE, 2))).containsExactly(0L, 0L);
    }

    private static Seeding after(SeedPlan seeds, int coordinators) {
        return Seeding.after(
                new Predecessor("a", "index", 2, "originals", "id", false, seeds, List.of()),
                coordinators,
                List.of("in"));
    }

    @Test
    void shouldBeReadAsItWasStored() throws JsonProcessingException {
        Takeover takeover = new Takeover(List.of(7L), List.of(Map.of("in", 5L), Map.of("in", 0L)), true, List.of(8L));
        ObjectMapper json = new ObjectMapper();

        String stored = json.writeValueAsString(takeover);

        assertThat(json.readTree(stored).fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("ends", "starts", "isSpread", "eventMillis");
        assertThat(json.readValue(stored, Takeover.class)).isEqualTo(takeover);
    }
}
