package io.neardup.app;

import io.neardup.config.NeardupConfig;
import io.neardup.streams.InternalTopics;
import io.neardup.streams.RocksDbSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** What Kafka Streams runs with: our defaults, the user's keys over them, and what the promises rest on over both. */
final class StreamsSettings {
    private StreamsSettings() {}

    static Map<String, Object> of(NeardupConfig config) {
        String guarantee =
                config.kafka().getOrDefault(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        if (!guarantee.equals(StreamsConfig.EXACTLY_ONCE_V2)) {
            throw new StartupException(List.of("processing.guarantee: expected exactly_once_v2, found " + guarantee
                    + "; without it records can be lost or doubled: leave the key out"));
        }
        Map<String, Object> settings = new HashMap<>(defaults());
        settings.putAll(config.kafka());
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        settings.put(
                StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
                InternalTopics.recordBytesMax(config));
        settings.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
        return settings;
    }

    private static Map<String, Object> defaults() {
        Map<String, Object> defaults = new HashMap<>();
        defaults.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
        defaults.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 2);
        // Bounds how late a gathered batch leaves when nothing arrives.
        defaults.put(StreamsConfig.POLL_MS_CONFIG, 10);
        defaults.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, RocksDbSettings.class);
        defaults.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 20);
        defaults.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 256 * 1024);
        defaults.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
        // The default from Kafka 5.0 on; without it every start warns.
        defaults.put("processing.exception.handler.global.enabled", true);
        // A batch that comes while the markers of the last transaction are still being written is sent again; the
        // default
        // of 100 to 1000 ms would stop a thread for longer than the commit interval.
        defaults.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), 10);
        defaults.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG), 100);
        // A dead instance is noticed after the session, and what it left open ends after the transaction.
        defaults.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6_000);
        defaults.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 1_500);
        defaults.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), 10_000);
        return defaults;
    }

    /** The user's keys without those that only Streams knows, for the clients that the service uses by itself. */
    static Map<String, Object> clients(NeardupConfig config) {
        Map<String, Object> clients = new HashMap<>(config.kafka());
        clients.keySet().removeIf(key -> key.contains("producer.") || key.contains("consumer."));
        clients.remove(StreamsConfig.PROCESSING_GUARANTEE_CONFIG);
        return clients;
    }
}
