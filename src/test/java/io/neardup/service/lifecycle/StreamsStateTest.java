package io.neardup.service.lifecycle;

import static io.neardup.testing.World.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamsStateTest {
    private static final TopicPartition CHANGELOG = new TopicPartition("changelog", 0);

    private final KafkaStreams streams = new KafkaStreams(
            new Topology().addSource("source", "topic"),
            new StreamsConfig(Map.of("application.id", "state", "bootstrap.servers", "localhost:1")));
    private final CompletableFuture<Throwable> end = new CompletableFuture<>();
    private final StreamsState state = new StreamsState(streams, "stories", end::complete);

    @AfterEach
    void close() {
        streams.close(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTellWhatEndsAThreadThatRestores(boolean isStandby) {
        OutOfMemoryError error = new OutOfMemoryError("by this test");

        new Thread(() -> {
                    if (isStandby) {
                        state.onUpdateStart(CHANGELOG, "store", 0);
                    } else {
                        state.onRestoreStart(CHANGELOG, "store", 0, 10);
                    }
                    throw error;
                })
                .start();

        assertThat(end).succeedsWithin(PATIENCE).isSameAs(error);
    }

    @Test
    void shouldCountNothingThatAThreadLeftAsItEnded() throws InterruptedException {
        AtomicLong before = new AtomicLong();
        Thread restoring = new Thread(() -> {
            state.onRestoreStart(CHANGELOG, "store", 0, 10);
            state.onBatchRestored(CHANGELOG, "store", 4, 4);
            before.set(state.restoring().recordsLeft());
        });
        restoring.start();
        restoring.join();
        assertThat(before).hasValue(6);

        assertThat(state.restoring().partitions()).isZero();
        assertThat(state.restoring().recordsLeft()).isZero();
    }
}
