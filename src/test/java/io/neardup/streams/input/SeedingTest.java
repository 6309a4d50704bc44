package io.neardup.streams.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.DocumentRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SeedingTest {
    private static final Predecessor BEFORE =
            new Predecessor("a", "index", 2, "originals", "id", false, SeedPlan.NONE, List.of());
    private static final Takeover TAKEOVER =
            new Takeover(List.of(10L, 20L), List.of(Map.of("in", 5L), Map.of("in", 6L)), false, List.of());

    private static Seeding after(int coordinators) {
        return Seeding.after(BEFORE, coordinators, List.of("in"));
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
        assertThat(after(4).coordinatorOf(new DocumentRef(1, 6))).isEqualTo(2);
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
        return Seeding.after(
                new Predecessor("a", "index", 2, "originals", "id", false, seeds, ends), coordinators, List.of("in"));
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
            assertThat(seeding.coordinatorsOf(0)).contains(seeding.coordinatorOf(new DocumentRef(0, sequence)));
            assertThat(seeding.coordinatorsOf(1)).contains(seeding.coordinatorOf(new DocumentRef(1, sequence)));
        }
        assertThat(seeding.coordinatorsOf(0)).containsExactly(0, 2, 4);
        assertThat(seeding.coordinatorsOf(1)).containsExactly(1, 3);
    }

    @Test
    void shouldKnowWhetherOriginalsAreWithTheirKeys() {
        assertThat(after(2).isSpread()).isFalse();
        assertThat(after(4).isSpread()).isTrue();
        Predecessor spread = new Predecessor("b", "index", 2, "originals", "id", true, SeedPlan.NONE, List.of());
        assertThat(Seeding.after(spread, 2, List.of("in")).isSpread())
                .as("they were not in the predecessor either")
                .isTrue();
        assertThat(Seeding.none().isSpread()).isFalse();
    }
}
