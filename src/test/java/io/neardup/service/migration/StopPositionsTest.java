package io.neardup.service.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.service.cluster.CommittedRecords.Span;
import io.neardup.service.cluster.StoredIndex.KnownTopics;
import io.neardup.service.migration.PredecessorWatch.StopPositions;
import io.neardup.service.migration.SeedWatch.FollowedPace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class StopPositionsTest {
    private static final KnownTopics KNOWN = new KnownTopics(
            Map.of("in", List.of("first", "second"), "more", List.of("only"), "changelog", List.of("c")));

    @Test
    void shouldGoOnWhereThePredecessorLeftTheSameTopics() {
        StopPositions stopped =
                new StopPositions(Map.of(0, Map.of("in#1", 5L, "more", 6L), 1, Map.of("in#1", 7L)), KNOWN);
        Map<String, String> ids = Map.of("in", "second", "more", "only");

        assertThat(stopped.topics()).containsExactly("in", "more");
        assertThat(stopped.madeAgain(ids)).isEmpty();
        assertThat(stopped.positions(ids)).isEqualTo(Map.of(0, Map.of("in", 5L, "more", 6L), 1, Map.of("in", 7L)));
    }

    /** Offsets of the one that was deleted mean nothing there. */
    @Test
    void shouldBeginWithATopicThatWasMadeAgainSinceAndThePredecessorNeverMet() {
        StopPositions stopped = new StopPositions(Map.of(0, Map.of("in#1", 5L, "more", 6L)), KNOWN);
        Map<String, String> ids = Map.of("in", "third", "more", "only");

        assertThat(stopped.madeAgain(ids)).containsExactly("in");
        assertThat(stopped.positions(ids)).isEqualTo(Map.of(0, Map.of("in", Handover.NOTHING_TAKEN, "more", 6L)));
    }

    @Test
    void shouldBeginWithATopicThatWasMadeAgainThoughThePredecessorHasMetItSinceItStopped() {
        StopPositions stopped = new StopPositions(Map.of(0, Map.of("in", 5L)), KNOWN);

        assertThat(stopped.madeAgain(Map.of("in", "second"))).containsExactly("in");
        assertThat(stopped.madeAgain(Map.of("in", "first"))).isEmpty();
        assertThat(stopped.positions(Map.of("in", "second")))
                .isEqualTo(Map.of(0, Map.of("in", Handover.NOTHING_TAKEN)));
    }

    @Test
    void shouldBeginWithATopicThatWasMadeAgainWhereOneCoordinatorHadStoppedAndAnotherHadNot() {
        StopPositions stopped = new StopPositions(Map.of(0, Map.of("in", 5L), 1, Map.of("in#1", 7L)), KNOWN);
        Map<String, String> ids = Map.of("in", "second");

        assertThat(stopped.madeAgain(ids)).isEmpty();
        assertThat(stopped.positions(ids))
                .isEqualTo(Map.of(0, Map.of("in", Handover.NOTHING_TAKEN), 1, Map.of("in", 7L)));
    }

    // ---- how far a follower is

    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final TopicPartition COORDINATOR = new TopicPartition("changelog", 0);
    private static final TopicPartition OTHER = new TopicPartition("changelog", 1);

    private final FollowedPace pace = new FollowedPace();

    @Test
    void shouldBeTooLateWhereAllWasReadLongerAgoThanMarkersAreKept() {
        assertThat(pace.isTooLate(100 * HOUR)).as("nothing is noted").isFalse();

        pace.noted(10 * HOUR);

        assertThat(pace.isTooLate(58 * HOUR)).isFalse();
        assertThat(pace.isTooLate(58 * HOUR + 1)).isTrue();
        assertThat(pace.isTooLate(HOUR)).as("by a clock that is behind").isFalse();
    }

    @Test
    void shouldNoteThatAllIsReadAsOfWhenItsEndsWereAskedFor() {
        pace.noted(0);
        assertThat(pace.remainingToAim(HOUR - 1, Map.of(COORDINATOR, 5L), Map.of()))
                .as("too early")
                .isEmpty();

        assertThat(pace.remainingToAim(HOUR, Map.of(COORDINATOR, 5L, OTHER, 7L), Map.of(COORDINATOR, 5L)))
                .hasValue(Map.of(OTHER, new Span(0, 7)));
        assertThat(pace.remainingToAim(
                        3 * HOUR, Map.of(COORDINATOR, 50L, OTHER, 70L), Map.of(COORDINATOR, 20L, OTHER, 6L)))
                .as("of what was there then")
                .hasValue(Map.of(OTHER, new Span(6, 7)));
        assertThat(pace.remainingToAim(
                        4 * HOUR, Map.of(COORDINATOR, 50L, OTHER, 70L), Map.of(COORDINATOR, 20L, OTHER, 7L)))
                .hasValue(Map.of());
        assertThat(pace.completeAim()).isEqualTo(HOUR);
    }

    @Test
    void shouldBeginAnewWithWhatIsThereLater() {
        pace.noted(0);
        pace.remainingToAim(HOUR, Map.of(COORDINATOR, 5L), Map.of(COORDINATOR, 5L));
        pace.noted(pace.completeAim());

        assertThat(pace.remainingToAim(HOUR + 1, Map.of(COORDINATOR, 9L), Map.of(COORDINATOR, 5L)))
                .isEmpty();
        assertThat(pace.remainingToAim(2 * HOUR, Map.of(COORDINATOR, 9L), Map.of(COORDINATOR, 5L)))
                .hasValue(Map.of(COORDINATOR, new Span(5, 9)));
    }
}
