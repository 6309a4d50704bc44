package io.neardup.bench;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.StreamsSettings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;

/**
 * Copies the input to the unique topic, record by record, with the Streams settings of the service: exactly once too.
 */
final class Passthrough implements Subject {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);
    private static final String SOURCE = "documents";

    private final KafkaStreams streams;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private Passthrough(KafkaStreams streams) {
        this.streams = streams;
        streams.setUncaughtExceptionHandler(failure -> {
            ended.completeExceptionally(failure);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
    }

    static Passthrough start(NeardupConfig config) {
        Topology topology = new Topology();
        topology.addSource(
                AutoOffsetReset.earliest(),
                SOURCE,
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                config.inputTopics().toArray(String[]::new));
        topology.addSink("copies", config.uniqueTopic(), new ByteArraySerializer(), new ByteArraySerializer(), SOURCE);
        Passthrough passthrough = new Passthrough(
                new KafkaStreams(topology, new StreamsConfig(StreamsSettings.of(config, "passthrough"))));
        passthrough.streams.start();
        return passthrough;
    }

    @Override
    public boolean isRunning() {
        return streams.state() == KafkaStreams.State.RUNNING;
    }

    @Override
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    @Override
    public void close() {
        streams.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
                .withTimeout(CLOSE_TIMEOUT));
        ended.complete(null);
    }
}
