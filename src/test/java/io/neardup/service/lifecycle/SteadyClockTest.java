package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
    private static final long START = Duration.ofDays(20_000).toMillis();
    private static final long TEN_MINUTES = Duration.ofMinutes(10).toMillis();

    private long wallMillis = START;
    private long nanos = Long.MAX_VALUE - Duration.ofMinutes(1).toNanos(); // It may overflow.

    private final SteadyClock clock = new SteadyClock(() -> wallMillis, () -> nanos);

    private void pass(long millis) {
        wallMillis += millis;
        nanos += Duration.ofMillis(millis).toNanos();
    }

    @Test
    void shouldTellTheTimeOfTheHost() {
        for (int i = 0; i < 1_000; i++) {
            pass(i % 7);
            assertThat(clock.millis()).isEqualTo(wallMillis);
        }
    }

    @Test
    void shouldFollowAStepForwardAtOnce() {
        wallMillis += TEN_MINUTES;

        assertThat(clock.millis()).isEqualTo(START + TEN_MINUTES);
    }

    @Test
    void shouldGoOnMoreSlowlyAfterAStepBackUntilTheHostHasCaughtUp() {
        wallMillis -= TEN_MINUTES;

        assertThat(clock.millis()).isEqualTo(START);
        pass(1_000);
        assertThat(clock.millis()).isEqualTo(START + 750);
        pass(TEN_MINUTES - 1_000); // The host tells the time of the step once more.
        assertThat(clock.millis()).isEqualTo(START + TEN_MINUTES * 3 / 4);
        pass(SteadyClock.CATCHING_UP * TEN_MINUTES - TEN_MINUTES);
        assertThat(clock.millis()).isEqualTo(wallMillis);
    }

    @Test
    void shouldCountASecondStepBackFromTheFirst() {
        wallMillis -= TEN_MINUTES;
        pass(4_000);
        wallMillis -= TEN_MINUTES;
        pass(4_000);

        assertThat(clock.millis()).isEqualTo(START + 6_000);
    }

    @Test
    void shouldNeverRunBackwardsNorStandStill() {
        Random random = new Random(1);
        long before = clock.millis();
        for (int i = 0; i < 100_000; i++) {
            if (random.nextInt(1_000) == 0) {
                wallMillis += random.nextInt(-10_000, 10_000);
            }
            int passed = random.nextInt(10);
            pass(passed);

            long now = clock.millis();

            assertThat(now - before).isGreaterThanOrEqualTo(passed * 3 / 4);
            before = now;
        }
    }

    /** Else a step back stops the clients of Kafka, whatever this clock does. */
    @Test
    void shouldBeWhatKafkaTellsTheTimeBy() {
        assertThat(Time.SYSTEM).isInstanceOf(SteadyClock.Reader.class);
        long before = SteadyClock.SYSTEM.millis();
        long ofKafka = Time.SYSTEM.milliseconds();

        assertThat(ofKafka).isBetween(before, SteadyClock.SYSTEM.millis());
    }
}
