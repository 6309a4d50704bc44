package io.neardup.streams.input;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InputGateTest {
    private final InputGate gate = new InputGate(100, 10_000);

    @Test
    void shouldCloseWhenAllHomesTogetherHoldTooManyDocuments() {
        gate.noteHeld(0, 60, 0, false);
        gate.noteHeld(1, 39, 0, false);
        assertThat(gate.isClosed(0)).isFalse();

        gate.noteHeld(1, 50, 0, false);
        assertThat(gate.isClosed(0)).isTrue();
        assertThat(gate.isClosed(1)).isTrue();

        gate.noteHeld(0, 49, 0, false);
        assertThat(gate.isClosed(1)).isFalse();
    }

    @Test
    void shouldCountThePausesOfAHomeWhileItRuns() {
        gate.notePause(0);
        gate.notePause(0);
        gate.notePause(1);
        assertThat(gate.pauses(0)).isEqualTo(2);
        assertThat(gate.pauses(2)).isZero();

        gate.forget(0);

        assertThat(gate.pauses(0)).isZero();
        assertThat(gate.pauses(1)).isOne();
    }

    @Test
    void shouldCloseWhenAllHomesTogetherHoldTooManyBytes() {
        gate.noteHeld(0, 1, 5_000, false);
        gate.noteHeld(1, 1, 5_000, false);
        assertThat(gate.isClosed(0)).isTrue();

        gate.noteHeld(1, 1, 4_999, false);
        assertThat(gate.isClosed(0)).isFalse();
    }

    @Test
    void shouldStayOpenForAHomeWithLessThanItsEvenShare() {
        gate.noteHeld(0, 100, 0, false);
        gate.noteHeld(1, 49, 0, false);
        assertThat(gate.isClosed(0)).isTrue();
        assertThat(gate.isClosed(1)).isFalse();

        gate.noteHeld(1, 50, 0, false);
        assertThat(gate.isClosed(1)).isTrue();
    }

    @Test
    void shouldStayOpenForAHomeThatOthersWaitFor() {
        gate.noteHeld(0, 100, 0, true);

        assertThat(gate.isClosed(0)).isFalse();
    }

    @Test
    void shouldForgetWhatAClosedHomeHeld() {
        gate.noteHeld(0, 60, 6_000, false);
        gate.noteHeld(1, 60, 6_000, false);
        gate.forget(1);
        gate.forget(1);
        assertThat(gate.isClosed(0)).isFalse();

        gate.noteHeld(1, 40, 0, false);
        assertThat(gate.isClosed(0)).isTrue();
    }
}
