package io.neardup.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DiskFailuresTest {
    private static final Path FILE = Path.of("state", "1_0", "buckets.snapshot");

    private final DiskFailures failures = new DiskFailures();

    @Test
    void shouldTellOfAFailureForAWhile() {
        long now = System.nanoTime();
        failures.failed(FILE, new IOException("read-only"));

        assertThat(failures.note(now + TimeUnit.SECONDS.toNanos(9)).orElseThrow())
                .startsWith("the disk of state.dir did not take " + FILE)
                .contains("read-only");
        assertThat(failures.note(now + TimeUnit.MINUTES.toNanos(11))).isEmpty();
    }

    @Test
    void shouldTellNoMoreOfWhatWasWrittenSince() {
        failures.failed(FILE, new IOException("read-only"));
        failures.written(FILE);

        assertThat(failures.note(System.nanoTime())).isEmpty();
    }
}
