package io.neardup.service.cluster;

import io.neardup.config.NeardupConfig;
import io.neardup.streams.store.StateFolder;
import io.neardup.streams.store.StoriesMemory;
import io.neardup.streams.topology.DedupTopology;
import io.neardup.streams.topology.InternalTopics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;

/** What Kafka Streams runs with: our defaults, the user's keys over them, and what the promises rest on over both. */
public final class StreamsSettings {
    private static final int COMMIT_MILLIS = 60;
    private static final Pattern CLIENT_PREFIX =
            Pattern.compile("(main\\.|restore\\.|global\\.)?(producer|consumer)\\.");

    /** Of the settings with these Kafka Streams overrules nothing. */
    private static final List<String> CONSUMER_PREFIXES = List.of(
            StreamsConfig.MAIN_CONSUMER_PREFIX,
            StreamsConfig.RESTORE_CONSUMER_PREFIX,
            StreamsConfig.GLOBAL_CONSUMER_PREFIX);

    private static final Pattern ANY_PREFIX =
            Pattern.compile("((main\\.|restore\\.|global\\.)?consumer|producer|admin)\\.");

    /**
     * What the promises rest on, however it is spelt: Kafka Streams overrules some spellings with a line in the log,
     * and takes others as they are.
     */
    private static final Map<String, Needed> NEEDED = Map.of(
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            new Needed("read_committed", "read_committed", "with another one aborted records would count"),
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            new Needed("false", "false", "positions belong to the transaction of what is written"),
            ConsumerConfig.GROUP_ID_CONFIG,
            new Needed("", "the application.id", "it names the group of all instances"),
            StreamsConfig.GROUP_PROTOCOL_CONFIG,
            new Needed("classic", "classic", "with another one documents in flight would be lost at a restart"),
            ProducerConfig.ACKS_CONFIG,
            new Needed("all|-1", "all", "with fewer a broker that is lost takes records along"),
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            new Needed("true", "true", "without it a record that is sent again can be there twice"),
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            new Needed("", "none", "each thread has one of its own"),
            ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
            new Needed("[1-5]", "at most 5", "with more the order could be lost"));

    private StreamsSettings() {}

    /** @param values a pattern of those that may be given; {@code group.id} may also be what it is anyway */
    private record Needed(String values, String expected, String why) {}

    /**
     * The settings of an index.
     *
     * @param index its id: local state of another index, found in the same folder, must not be taken for its own
     */
    public static Map<String, Object> of(NeardupConfig config, String index) {
        Map<String, Object> settings = new HashMap<>(defaults());
        // A key without a prefix, or with that of all consumers, must not lose to a default that has a narrower one.
        settings.keySet().removeIf(ours -> config.kafka().keySet().stream().anyMatch(key -> isNarrower(ours, key)));
        settings.putAll(config.kafka());
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        settings.put(
                StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), InternalTopics.REQUEST_BYTES_MAX);
        for (String prefix : CONSUMER_PREFIXES) {
            settings.put(prefix + ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        }
        settings.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
        String folder = String.valueOf(settings.getOrDefault(StreamsConfig.STATE_DIR_CONFIG, defaultStateFolder()));
        settings.put(StreamsConfig.STATE_DIR_CONFIG, Path.of(folder, index).toString());
        return settings;
    }

    /** How long Kafka Streams keeps on this machine what a task left behind. */
    public static Duration kept(Map<String, Object> settings) {
        return Duration.ofMillis(new StreamsConfig(settings).getLong(StreamsConfig.STATE_CLEANUP_DELAY_MS_CONFIG));
    }

    /** What to set that is not; empty for nothing. In place of the warning of Kafka Streams, see log.xml. */
    public static Optional<String> advice(NeardupConfig config) {
        return config.kafka().containsKey(StreamsConfig.STATE_DIR_CONFIG)
                ? Optional.empty()
                : Optional.of(
                        "state.dir is not set: in " + defaultStateFolder() + ", a temporary folder, the system may"
                                + " delete what is in use; set it to a folder of this instance alone");
    }

    private static String defaultStateFolder() {
        return String.valueOf(StreamsConfig.configDef().defaultValues().get(StreamsConfig.STATE_DIR_CONFIG));
    }

    private static boolean isNarrower(String ours, String given) {
        Matcher prefix = CLIENT_PREFIX.matcher(ours);
        return prefix.lookingAt() && ours.endsWith("." + given);
    }

    /** Keys of the user that would break the promises, or that Kafka does not take. */
    public static List<String> problems(NeardupConfig config) {
        List<String> problems = new ArrayList<>();
        config.kafka().forEach((key, value) -> addForbidden(config, key, value, problems));
        if (problems.isEmpty()) {
            clientConfigProblem(config).ifPresentOrElse(problems::add, () -> pollIntervalProblem(config)
                    .ifPresent(problems::add));
        }
        config.kafka().forEach((key, value) -> {
            if (key.equals(StreamsConfig.PROCESSING_GUARANTEE_CONFIG) && !value.equals(StreamsConfig.EXACTLY_ONCE_V2)) {
                problems.add(key + ": expected exactly_once_v2, found " + value
                        + "; without it records can be lost or doubled: leave the key out");
            } else if (key.endsWith("exception.handler")) {
                problems.add(key + ": expected none, found " + value
                        + "; a handler that goes on drops records: leave the key out");
            } else if (key.equals(StreamsConfig.REPLICATION_FACTOR_CONFIG) && !value.matches("-1|[1-9][0-9]?")) {
                problems.add(key + ": expected a number of replicas, or -1 for the broker's default, found " + value);
            } else if (key.equals(StreamsConfig.NUM_STREAM_THREADS_CONFIG) && value.matches("0+|-\\d+")) {
                problems.add(key + ": expected at least 1, found " + value);
            } else if (key.equals(StreamsConfig.CLIENT_ID_CONFIG)
                    && AbandonedTransactions.looksMade(config.applicationId(), value)) {
                problems.add(key + ": expected no value of the form application.id-UUID, found " + value
                        + ": other instances would take it for a generated id, and end this instance's transactions;"
                        + " leave the key out, or choose another");
            } else if (key.equals(StreamsConfig.STATE_CLEANUP_DELAY_MS_CONFIG) && isTooLong(value)) {
                problems.add(key + ": expected at most " + StateFolder.AGE_MAX.toMillis() + ", found " + value
                        + "; what a task leaves behind must be gone before it is too old to go on from");
            }
        });
        return problems;
    }

    private static void addForbidden(NeardupConfig config, String key, String value, List<String> problems) {
        String plain = ANY_PREFIX.matcher(key).replaceFirst("");
        Needed needed = NEEDED.get(plain);
        boolean isOwnGroup = plain.equals(ConsumerConfig.GROUP_ID_CONFIG) && value.equals(config.applicationId());
        if (needed != null && !isOwnGroup && !value.matches(needed.values)) {
            problems.add(key + ": expected " + needed.expected + ", found " + value + "; " + needed.why
                    + ": leave the key out");
        }
    }

    /** Streams polls again after half of the interval at the latest, or behind the step that it is in. */
    private static Optional<String> pollIntervalProblem(NeardupConfig config) {
        String key = ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG;
        long found = ofMainConsumer(config, key);
        long needed = 2 * DedupTopology.stepMillisMax(config);
        return found >= needed
                ? Optional.empty()
                : Optional.of(key + ": expected at least " + needed + ", as one step may compare "
                        + DedupTopology.verifiedBytesMax(config)
                        + " bytes of documents (neardup.document.bytes.max is "
                        + config.documentBytesMax() + "), which takes a slow machine half of that; found " + found
                        + ": the instance would be thrown out of its group, and the next one too");
    }

    /** How long an instance that was killed counts as one that runs. */
    static Duration session(NeardupConfig config) {
        return Duration.ofMillis(ofMainConsumer(config, ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG));
    }

    private static long ofMainConsumer(NeardupConfig config, String key) {
        Map<String, Object> consumer =
                new StreamsConfig(of(config, "none")).getMainConsumerConfigs(config.applicationId(), "check", 0);
        return ((Number) Objects.requireNonNull(
                        new ConsumerConfig(withSerialization(consumer)).values().get(key)))
                .longValue();
    }

    /** What is no number is reported by {@link #clientConfigProblem}. */
    private static boolean isTooLong(String millis) {
        return millis.matches("\\d{1,18}") && Long.parseLong(millis) > StateFolder.AGE_MAX.toMillis();
    }

    /** The first of the settings that a client would refuse when it is made. */
    private static Optional<String> clientConfigProblem(NeardupConfig config) {
        try {
            StreamsConfig streams = new StreamsConfig(of(config, "none"));
            AdminClientConfig unusedAdmin = new AdminClientConfig(streams.getAdminConfigs("check"));
            ProducerConfig unusedProducer = new ProducerConfig(withSerialization(streams.getProducerConfigs("check")));
            ConsumerConfig unusedConsumer = new ConsumerConfig(
                    withSerialization(streams.getMainConsumerConfigs(config.applicationId(), "check", 0)));
            ConsumerConfig unusedRestorer =
                    new ConsumerConfig(withSerialization(streams.getRestoreConsumerConfigs("check")));
            return Optional.empty();
        } catch (ConfigException | IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static Map<String, Object> withSerialization(Map<String, Object> client) {
        Map<String, Object> all = new HashMap<>(client);
        all.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        all.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        return all;
    }

    private static Map<String, Object> defaults() {
        Map<String, Object> defaults = new HashMap<>();
        // A document leaves after three commits or five. Fewer of them would not save processor time at the full rate.
        defaults.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, COMMIT_MILLIS);
        defaults.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 2);
        // Replies go first among what is there; waiting for more of them would gain nothing, and costs on every record.
        defaults.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
        // Bounds how late a commit is when nothing arrives.
        defaults.put(StreamsConfig.POLL_MS_CONFIG, 10);
        // Nobody sees a record before the commit, so none needs to leave earlier. A full batch takes all others of its
        // broker along, and every batch costs an LZ4 frame with 128 KB of buffers.
        defaults.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), COMMIT_MILLIS);
        // Below what a topic carries by default, 1 MB.
        defaults.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 768 * 1024);
        // The system finds what the connection needs. Kafka's 32 to 128 KB mean many small reads and writes.
        defaults.put(CommonClientConfigs.SEND_BUFFER_CONFIG, CommonClientConfigs.SEND_BUFFER_LOWER_BOUND);
        defaults.put(CommonClientConfigs.RECEIVE_BUFFER_CONFIG, CommonClientConfigs.RECEIVE_BUFFER_LOWER_BOUND);
        // A record must fit into it, and a batch more than that.
        defaults.put(
                StreamsConfig.producerPrefix(ProducerConfig.BUFFER_MEMORY_CONFIG),
                2L * InternalTopics.REQUEST_BYTES_MAX);
        defaults.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
        defaults.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, StoriesMemory.class);
        // The default from Kafka 5.0 on; without it every start warns.
        defaults.put("processing.exception.handler.global.enabled", true);
        // A batch that comes while the markers of the last transaction are still being written is refused and sent
        // again; the default of 100 to 1000 ms would stop a thread for longer than the commit interval.
        defaults.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), 10);
        defaults.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG), 100);
        // A dead instance is noticed after the session, and the others learn it at their next heartbeat.
        // Brokers take no shorter session by default.
        defaults.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6_000);
        defaults.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 500);
        // An instance that starts counts as far behind on each coordinator, as their progress is in memory, and takes
        // over two (max.warmup.replicas) at each look: by default one in ten minutes. More than two at a time would
        // copy much of the index whenever an instance stops, as the assignment of all tasks changes then.
        defaults.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, 60_000);
        // What a dead instance left open is ended by the others. So this need not be short, and a stop of
        // some seconds, as when a broker is lost, is no reason to give up all tasks.
        defaults.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), 10_000);
        return defaults;
    }

    /** What the clients need that the service uses by itself: the user's keys without those of Streams' own clients. */
    public static Map<String, Object> clients(NeardupConfig config) {
        Map<String, Object> clients = new HashMap<>(config.kafka());
        clients.keySet().removeIf(key -> CLIENT_PREFIX.matcher(key).lookingAt());
        clients.remove(StreamsConfig.PROCESSING_GUARANTEE_CONFIG);
        return clients;
    }
}
