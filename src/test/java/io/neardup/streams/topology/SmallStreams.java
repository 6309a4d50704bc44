package io.neardup.streams.topology;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.config.Signing;
import io.neardup.streams.input.InputGate;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.metrics.ServiceCounts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;

/** Kafka Streams with the clients of the service, exactly once, and any topology. */
public final class SmallStreams {
    private SmallStreams() {}

    /**
     * Not started yet.
     *
     * @param more settings, which go before the usual ones
     */
    public static KafkaStreams of(
            Topology topology, String servers, String applicationId, Path state, Map<String, Object> more) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId);
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, 1);
        // A consumer that is closed waits for the fetch that is under way.
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), 50);
        settings.putAll(more);
        DedupTopology flow =
                flow(NeardupConfig.of(new Settings().pairs(List.of("neardup.input.topics=none"))), Seeding.none());
        StreamsClients clients = new StreamsClients(flow, topic -> false);
        return new KafkaStreams(topology, new StreamsConfig(settings), clients);
    }

    /** A flow that holds much, to outputs that carry anything. */
    static DedupTopology flow(NeardupConfig config, Seeding seeding) {
        OutputLimits anything = new OutputLimits(1 << 20, Long.MAX_VALUE, Long.MAX_VALUE, false);
        return new DedupTopology(
                config,
                Signing.of(config, 42),
                new OutputLimits.ByOutput(anything, anything, anything),
                new InputGate(100, 1_000_000),
                InputGenerations.FIRST,
                seeding,
                () -> KnownCutover.NONE,
                new ServiceCounts(),
                TopicPartition::toString,
                topic -> topic);
    }
}
