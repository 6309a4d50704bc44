package io.neardup.streams.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DiskFailuresTest {
    private static final Path FILE = Path.of("state", "1_0", "buckets.snapshot");

    private final DiskFailures failures = new DiskFailures();

    @Test
    void shouldTellOfAFailureForAWhileUnlessItWasWrittenSince() {
        long now = System.nanoTime();
        failures.failed(FILE, new IOException("read-only"));
        assertThat(failures.latest(now + TimeUnit.SECONDS.toNanos(9)).orElseThrow())
                .startsWith("the disk of state.dir did not take " + FILE)
                .contains("read-only");
        assertThat(failures.latest(now + TimeUnit.MINUTES.toNanos(11))).isEmpty();
        failures.written(FILE);
        assertThat(failures.latest(System.nanoTime())).isEmpty();
    }

    @Test
    void shouldLetDamageBeRestoredThreeTimesWithinAnHour() {
        long now = Long.MAX_VALUE - 5;
        long minute = TimeUnit.MINUTES.toNanos(1);
        assertThat(failures.mayRestore("state/1_0", "Corruption", now)).isTrue();
        assertThat(failures.mayRestore("state/1_1", "Corruption", now + minute)).isTrue();
        assertThat(failures.mayRestore("state/1_0", "Corruption", now + 2 * minute))
                .isTrue();
        assertThat(failures.mayRestore("state/1_0", "Corruption", now + 60 * minute))
                .isFalse();
        assertThat(failures.mayRestore("state/1_2", "Corruption", now + 61 * minute))
                .isTrue();
        assertThat(failures.mayRestore("state/1_2", "Corruption", now + 61 * minute))
                .isFalse();
        assertThat(failures.latest(now + 62 * minute).orElseThrow())
                .startsWith("the disk of state.dir damaged state 60 s ago: state/1_2: Corruption; it is restored");
    }
}
