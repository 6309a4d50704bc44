package io.neardup.service.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.service.cluster.KnownTopics;
import io.neardup.service.migration.PredecessorWatch.LeftInput;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeftInputTest {
    private static final KnownTopics KNOWN = new KnownTopics(
            Map.of("in", List.of("first", "second"), "more", List.of("only"), "changelog", List.of("c")));

    @Test
    void shouldGoOnWhereThePredecessorLeftTheSameTopics() {
        LeftInput left = new LeftInput(Map.of(0, Map.of("in#1", 5L, "more", 6L), 1, Map.of("in#1", 7L)), KNOWN);
        Map<String, String> ids = Map.of("in", "second", "more", "only");

        assertThat(left.topics()).containsExactly("in", "more");
        assertThat(left.madeAgain(ids)).isEmpty();
        assertThat(left.positions(ids)).isEqualTo(Map.of(0, Map.of("in", 5L, "more", 6L), 1, Map.of("in", 7L)));
    }

    /** Offsets of the one that was deleted mean nothing there. */
    @Test
    void shouldBeginWithATopicThatWasMadeAgainSinceAndThePredecessorNeverMet() {
        LeftInput left = new LeftInput(Map.of(0, Map.of("in#1", 5L, "more", 6L)), KNOWN);
        Map<String, String> ids = Map.of("in", "third", "more", "only");

        assertThat(left.madeAgain(ids)).containsExactly("in");
        assertThat(left.positions(ids)).isEqualTo(Map.of(0, Map.of("in", Handover.BEGINNING, "more", 6L)));
    }

    @Test
    void shouldBeginWithATopicThatWasMadeAgainThoughThePredecessorHasMetItSinceItStopped() {
        LeftInput left = new LeftInput(Map.of(0, Map.of("in", 5L)), KNOWN);

        assertThat(left.madeAgain(Map.of("in", "second"))).containsExactly("in");
        assertThat(left.madeAgain(Map.of("in", "first"))).isEmpty();
        assertThat(left.positions(Map.of("in", "second"))).isEqualTo(Map.of(0, Map.of("in", Handover.BEGINNING)));
    }

    @Test
    void shouldBeginWithATopicThatWasMadeAgainWhereOneCoordinatorHadStoppedAndAnotherHadNot() {
        LeftInput left = new LeftInput(Map.of(0, Map.of("in", 5L), 1, Map.of("in#1", 7L)), KNOWN);
        Map<String, String> ids = Map.of("in", "second");

        assertThat(left.madeAgain(ids)).isEmpty();
        assertThat(left.positions(ids)).isEqualTo(Map.of(0, Map.of("in", Handover.BEGINNING), 1, Map.of("in", 7L)));
    }
}
