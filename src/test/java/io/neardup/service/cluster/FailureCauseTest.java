package io.neardup.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.streams.metrics.DiskFailures;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

class FailureCauseTest {
    @Test
    void shouldGoOnWhereAMappedPageCouldNotBeReadUnlessThatIsOften() {
        DiskFailures failures = new DiskFailures();
        Error fault = new InternalError("a fault occurred in a recent unsafe memory access operation");

        for (int times = 0; times < 3; times++) {
            assertThat(FailureCause.mayRestore(new StreamsException(fault), failures))
                    .isTrue();
        }

        assertThat(FailureCause.mayRestore(fault, failures)).isFalse();
        assertThat(failures.latest(System.nanoTime()).orElseThrow()).contains("a mapped file: a fault occurred");
    }

    @Test
    void shouldNotGoOnAfterAnyOtherFailure() {
        assertThat(FailureCause.mayRestore(new IllegalStateException(new OutOfMemoryError()), new DiskFailures()))
                .isFalse();
    }
}
