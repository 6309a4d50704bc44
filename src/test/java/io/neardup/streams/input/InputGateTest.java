package io.neardup.streams.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class InputGateTest {
    private static final Set<String> NONE = Set.of();

    private final InputGate gate = new InputGate(100, 10_000);

    private static TopicPartition input(int coordinator) {
        return new TopicPartition("documents", coordinator);
    }

    @Test
    void shouldCloseWhenAllCoordinatorsTogetherHoldTooManyDocumentsOrBytes() {
        gate.noteHeld(0, 60, 0, NONE);
        gate.noteHeld(1, 39, 0, NONE);
        assertThat(gate.isClosed(input(0))).isFalse();
        gate.noteHeld(1, 50, 0, NONE);
        assertThat(gate.isClosed(input(0))).isTrue();
        assertThat(gate.isClosed(input(1))).isTrue();
        gate.noteHeld(0, 49, 0, NONE);
        assertThat(gate.isClosed(input(1))).isFalse();
        gate.noteHeld(0, 1, 5_000, NONE);
        gate.noteHeld(1, 1, 5_000, NONE);
        assertThat(gate.isClosed(input(0))).isTrue();
        gate.noteHeld(1, 1, 4_999, NONE);
        assertThat(gate.isClosed(input(0))).isFalse();
    }

    @Test
    void shouldCountThePausesOfACoordinatorWhileItRuns() {
        gate.notePause(input(0));
        gate.notePause(input(0));
        gate.notePause(input(1));
        gate.handOver(input(1));
        gate.notePause(input(1));
        assertThat(gate.pauses(0)).isEqualTo(2);
        assertThat(gate.pauses(2)).isZero();

        gate.forget(0);

        assertThat(gate.pauses(0)).isZero();
        assertThat(gate.pauses(1)).isOne();
    }

    @Test
    void shouldStayOpenForACoordinatorWithLessThanItsEvenShare() {
        gate.noteHeld(0, 100, 0, NONE);
        gate.noteHeld(1, 49, 0, NONE);
        assertThat(gate.isClosed(input(0))).isTrue();
        assertThat(gate.isClosed(input(1))).isFalse();

        gate.noteHeld(1, 50, 0, NONE);
        assertThat(gate.isClosed(input(1))).isTrue();
    }

    @Test
    void shouldStayOpenForATopicThatOthersWaitForAndForNoOtherOfItsCoordinator() {
        gate.noteHeld(0, 100, 0, Set.of("awaited"));

        assertThat(gate.isClosed(new TopicPartition("awaited", 0))).isFalse();
        assertThat(gate.isClosed(new TopicPartition("awaited", 1))).isFalse();
        assertThat(gate.isClosed(input(0))).isTrue();
    }

    @Test
    void shouldForgetWhatAClosedCoordinatorHeld() {
        gate.noteHeld(0, 60, 6_000, NONE);
        gate.noteHeld(1, 60, 6_000, NONE);
        gate.forget(1);
        gate.forget(1);
        assertThat(gate.isClosed(input(0))).isFalse();

        gate.noteHeld(1, 40, 0, NONE);
        assertThat(gate.isClosed(input(0))).isTrue();
    }
}
