package io.neardup.streams.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.protocol.Ref;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SeedingTest {
    private static final Predecessor BEFORE = new Predecessor("a", "index", 2, "originals", "id", false);
    private static final Takeover TAKEOVER =
            new Takeover(List.of(10L, 20L), List.of(Map.of("in", 5L), Map.of("in", 6L)), false, List.of());

    private static Seeding after(int homes) {
        return Seeding.after(BEFORE, homes, List.of("in"));
    }

    @Test
    void shouldKeepTheInputClosedUntilAllHomesHaveTakenOver() {
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
    void shouldBringAnOriginalToTheSameHomeWhereThereAreAsMany() {
        assertThat(after(2).homeOf(new Ref(1, 6))).isEqualTo(1);
        assertThat(after(4).homeOf(new Ref(1, 6))).isEqualTo(2);
    }

    @Test
    void shouldTellNoSeedOfAnOriginalThatThePredecessorReleased() {
        Seeding seeding = after(1);
        seeding.noteRead("originals", 0, 7);

        assertThat(seeding.seedOf(new Ref(0, 3))).isEqualTo(Optional.empty());
    }

    @Test
    void shouldKnowWhetherOriginalsAreWithTheirKeys() {
        assertThat(after(2).isSpread()).isFalse();
        assertThat(after(4).isSpread()).isTrue();
        Predecessor spread = new Predecessor("b", "index", 2, "originals", "id", true);
        assertThat(Seeding.after(spread, 2, List.of("in")).isSpread())
                .as("they were not in the predecessor either")
                .isTrue();
        assertThat(Seeding.none().isSpread()).isFalse();
    }
}
