package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.tools.local.LocalSnapshot;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {
    private static final LocalSnapshot SNAPSHOT = new LocalSnapshot(12_345, 800, 199, 1, Duration.ofSeconds(1), 999.6);

    private final StringWriter out = new StringWriter();
    private long nanos;

    @Test
    void shouldPrintTheEndAndNothingBeforeTheFirstDocument() {
        ProgressLines lines = new ProgressLines(new PrintWriter(out), false, () -> nanos);
        nanos = 2_000_000_000L;
        lines.update(new LocalSnapshot(0, 0, 0, 0, Duration.ZERO, 0));
        lines.passing("looking for something");
        assertThat(out.toString()).isEmpty();
        lines.update(SNAPSHOT);
        lines.update(new LocalSnapshot(12_345, 12_000, 345, 0, Duration.ofSeconds(2), 0));
        lines.end();
        lines.end();
        assertThat(out.toString().lines()).hasSize(2).last().asString().startsWith("12,345 of 12,345 documents");
    }
}
