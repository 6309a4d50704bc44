package io.neardup.bench;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.streams.metrics.ServiceMetric;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;

/**
 * What is measured.
 *
 * @param ended completes when it has stopped, with what made it fail if it did
 * @param indexBytes memory that the buckets and sketches of all its partitions take; 0 where it keeps none
 */
record Subject(BooleanSupplier isRunning, CompletableFuture<Void> ended, LongSupplier indexBytes, Runnable close) {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);
    private static final String SOURCE = "documents";

    /** The kinds there are. */
    enum Kind {
        /** Copies every record: the floor of what any exactly-once service costs. */
        PASSTHROUGH,
        /** The whole service. */
        SERVICE;

        Subject start(NeardupConfig config) {
            return this == SERVICE ? service(DedupService.start(config)) : passthrough(config);
        }
    }

    private static Subject service(DedupService service) {
        return new Subject(
                service::isRunning,
                service.ended(),
                () -> service.counts().values(ServiceMetric.INDEX_BYTES).sum(),
                service::close);
    }

    /** Copies the input to the unique topic, with the Streams settings of the service: exactly once too. */
    private static Subject passthrough(NeardupConfig config) {
        Topology topology = new Topology();
        topology.addSource(
                AutoOffsetReset.earliest(),
                SOURCE,
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                config.inputTopics().toArray(String[]::new));
        topology.addSink("copies", config.uniqueTopic(), new ByteArraySerializer(), new ByteArraySerializer(), SOURCE);
        KafkaStreams streams = new KafkaStreams(topology, new StreamsConfig(StreamsSettings.of(config, "passthrough")));
        CompletableFuture<Void> ended = new CompletableFuture<>();
        streams.setUncaughtExceptionHandler(failure -> {
            ended.completeExceptionally(failure);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        streams.start();
        return new Subject(() -> streams.state() == KafkaStreams.State.RUNNING, ended, () -> 0, () -> {
            streams.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
                    .withTimeout(CLOSE_TIMEOUT));
            ended.complete(null);
        });
    }
}
