package io.neardup.streams.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.MigrationSource.Handover;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class SeedingTest {
    private static final Takeover TAKEOVER =
            new Takeover(List.of(10L, 20L), List.of(Map.of("in", 5L), Map.of("in", 6L)), false, List.of());

    private static Seeding after(int coordinators) {
        return after(SeedPlan.NONE, coordinators);
    }

    @Test
    void shouldKeepTheInputClosedUntilAllCoordinatorsHaveTakenOver() {
        Seeding seeding = after(2);
        assertThat(seeding.isClosed("in")).isTrue();
        assertThat(seeding.isClosed("originals")).isFalse();

        seeding.settle(TAKEOVER);
        seeding.noteRead("originals", 0, 7);
        assertThat(seeding.isClosed("in")).isTrue();

        seeding.noteRead("originals", 1, 9);
        assertThat(seeding.isClosed("in")).isFalse();
        assertThat(seeding.isClosed("originals")).isTrue();
    }

    @Test
    void shouldIncludeAllUntilAnEndIsSettledWhichTheFirstTimeDoes() {
        Seeding seeding = after(2);
        assertThat(seeding.includes("originals", 1, 20)).isTrue();

        seeding.settle(TAKEOVER);
        seeding.settle(new Takeover(List.of(100L, 100L), TAKEOVER.starts(), false, List.of()));

        assertThat(seeding.includes("originals", 1, 19)).isTrue();
        assertThat(seeding.includes("originals", 1, 20)).isFalse();
    }

    @Test
    void shouldBringAnOriginalToTheSameCoordinatorWhereThereAreAsMany() {
        assertThat(after(2).coordinatorOf(new DocumentRef(1, 6))).isEqualTo(1);
        assertThat(after(4).coordinatorOf(new DocumentRef(1, 6))).isEqualTo(0);
        assertThat(after(8).coordinatorOf(new DocumentRef(1, 6))).isEqualTo(4);
    }

    @Test
    void shouldSpreadOriginalsEvenlyWhereFewSequenceNumbersOfABlockAreUsed() {
        Seeding seeding = after(8);

        Map<Integer, Long> originals = IntStream.range(0, 8_000)
                .mapToObj(i -> seeding.coordinatorOf(new DocumentRef(1, i / 2 * 1_024L + i % 2)))
                .collect(Collectors.groupingBy(coordinator -> coordinator, Collectors.counting()));

        assertThat(originals).hasSize(8).allSatisfy((coordinator, taken) -> assertThat(taken)
                .isBetween(900L, 1_100L));
    }

    @Test
    void shouldKnowNoSeedOfAnOriginalThatThePredecessorReleased() {
        Seeding seeding = after(1);
        seeding.noteRead("originals", 0, 7);

        assertThat(seeding.seedOf(new DocumentRef(0, 3))).isEqualTo(Optional.empty());
    }

    private static Seeding afterSeeds(int coordinators) {
        SeedPlan seeds = new SeedPlan(
                List.of(new SeedPlan.Topic("one", "id1", List.of(3L)), new SeedPlan.Topic("two", "id2", List.of(3L))),
                false);
        List<Map<String, Long>> ends = List.of(Map.of("one", 4L, "two", 8L), Map.of("one", 2L, "two", 3L));
        return after(seeds, ends, coordinators);
    }

    @Test
    void shouldKnowTheSeedOfAnOriginalByTheFirstEndThatItsCoordinatorHasReleased() {
        Seeding seeding = afterSeeds(1);
        seeding.noteRead("one", 0, 5);
        seeding.noteRead("one", 0, 6);
        seeding.noteRead("two", 0, 9);
        seeding.noteRead("originals", 0, 20);

        assertThat(seeding.isDone()).isTrue();
        assertThat(seeding.seedOf(new DocumentRef(0, 4))).contains("one");
        assertThat(seeding.seedOf(new DocumentRef(0, 5))).contains("two");
        assertThat(seeding.seedOf(new DocumentRef(0, 9))).isEmpty();
    }

    @Test
    void shouldKnowWhichSeedsEndBeforeAnOriginalOfThePredecessor() {
        Seeding seeding = afterSeeds(2);

        assertThat(seeding.seedsBefore(new DocumentRef(0, 3))).isZero();
        assertThat(seeding.seedsBefore(new DocumentRef(0, 4))).isEqualTo(1);
        assertThat(seeding.seedsBefore(new DocumentRef(1, 4))).isEqualTo(2);
        assertThat(after(2).seedsBefore(new DocumentRef(1, 4)))
                .as("an index without seeds, or bound before they were noted")
                .isZero();
    }

    @Test
    void shouldTakeSeedsFromOneCoordinatorOfThePredecessorAlone() {
        Seeding seeding = afterSeeds(5);

        for (int sequence = 0; sequence < 12; sequence++) {
            assertThat(seeding.coordinatorsTakingFrom(0)).contains(seeding.coordinatorOf(new DocumentRef(0, sequence)));
            assertThat(seeding.coordinatorsTakingFrom(1)).contains(seeding.coordinatorOf(new DocumentRef(1, sequence)));
        }
        assertThat(seeding.coordinatorsTakingFrom(0)).containsExactly(0, 2, 4);
        assertThat(seeding.coordinatorsTakingFrom(1)).containsExactly(1, 3);
    }

    @Test
    void shouldKnowWhetherOriginalsAreWithTheirKeys() {
        assertThat(after(2).isSpread()).isFalse();
        assertThat(after(4).isSpread()).isTrue();
        Predecessor spread = new Predecessor("b", "index", 2, "originals", "id", true, SeedPlan.NONE, List.of(), 0);
        assertThat(Seeding.after(spread, 2, List.of("in")).isSpread())
                .as("they were not in the predecessor either")
                .isTrue();
        assertThat(Seeding.none().isSpread()).isFalse();
    }

    // ---- where the input begins

    /** Of the first records the input has lost some. */
    private static final Map<TopicPartition, Long> BEGINNINGS = Map.of(
            new TopicPartition("in", 0), 1L,
            new TopicPartition("in", 1), 2L,
            new TopicPartition("in", 2), 3L,
            new TopicPartition("narrow", 0), 4L);

    @Test
    void shouldBeginWhereThePredecessorStoppedAndWithAllOfMorePartitions() {
        Map<Integer, Map<String, Long>> left =
                Map.of(0, Map.of("in", 5L, "narrow", 9L), 1, Map.of("in", 6L, "narrow", Handover.NOTHING_TAKEN));

        assertThat(Takeover.starts(left, BEGINNINGS, 2, 3))
                .containsExactly(Map.of("in", 5L, "narrow", 9L), Map.of("in", 6L), Map.of("in", 0L));
    }

    @Test
    void shouldBeginWithTheFirstRecordThatIsThereWhereThePredecessorTookNone() {
        Map<Integer, Map<String, Long>> left =
                Map.of(0, Map.of("in", 5L, "narrow", Handover.NOTHING_TAKEN), 1, Map.of("in", Handover.NOTHING_TAKEN));

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
        return after(seeds, List.of(), coordinators);
    }

    private static Seeding after(SeedPlan seeds, List<Map<String, Long>> ends, int coordinators) {
        Predecessor before = new Predecessor("a", "index", 2, "originals", "id", false, seeds, ends, 0);
        return Seeding.after(before, coordinators, List.of("in"));
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
