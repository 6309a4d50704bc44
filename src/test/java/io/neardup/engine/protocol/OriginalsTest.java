package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.Originals.EventClock;
import org.junit.jupiter.api.Test;

class OriginalsTest {
    private static final long NOW = 1_000_000;

    @Test
    void shouldStandWhereFiveDocumentsHaveBeen() {
        EventClock clock = new EventClock(0);
        for (long millis : new long[] {10, 50, 30, 20}) {
            clock.see(millis, NOW);
        }
        assertThat(clock.millis()).isZero();

        clock.see(40, NOW);
        assertThat(clock.millis()).isEqualTo(10);

        clock.see(60, NOW);
        assertThat(clock.millis()).isEqualTo(20);
    }

    @Test
    void shouldNotBeMovedByAFewAbsurdTimestamps() {
        EventClock clock = new EventClock(0);
        for (int i = 0; i < 10; i++) {
            clock.see(100 + i, NOW);
        }

        for (int i = 0; i < 4; i++) {
            clock.see(Long.MAX_VALUE, NOW);
            clock.see(0, NOW);
        }

        assertThat(clock.millis()).isEqualTo(109);
    }

    @Test
    void shouldNeverBeAheadOfThePresentNorGoBack() {
        EventClock clock = new EventClock(700);
        for (int i = 0; i < 5; i++) {
            clock.see(Long.MAX_VALUE, 900);
        }
        assertThat(clock.millis()).isEqualTo(900);

        for (int i = 0; i < 5; i++) {
            clock.see(Long.MAX_VALUE, 800);
        }
        assertThat(clock.millis()).isEqualTo(900);
    }

    @Test
    void shouldCutATimestampToThePresentAlone() {
        EventClock clock = new EventClock(700);

        assertThat(clock.see(800, NOW)).isEqualTo(800);
        assertThat(clock.see(2 * NOW, NOW)).isEqualTo(NOW);
    }
}
