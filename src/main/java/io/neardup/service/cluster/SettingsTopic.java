package io.neardup.service.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.IndexSettings;
import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.StoredIndex.KnownTopics;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.input.SeedPlan;
import io.neardup.streams.input.Takeover;
import io.neardup.streams.store.CutoverEvent;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.DedupTopology;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * What an index was made with: the first record of a compacted topic of one partition. Whoever starts first writes it.
 * Where two start at once, each record has a key of its own and stays, and the one with the lower offset holds. Behind
 * it, under one key, stand the topics that the index has met; the last such record holds. Then what it is seeded with,
 * and which coordinator has read which seed: each record under a key of its own, and the first holds. And the events of
 * a cutover. {@link SettingsReader} follows what is noted later.
 */
public final class SettingsTopic {
    private static final int FORMAT = 1;
    private static final String UNKNOWN_RELEASE = "(unknown)";

    /** What a later release adds shows by its format, not by what this one does not know. */
    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private final NeardupConfig config;
    private final ClusterAdmin admin;
    private final Map<String, Object> clients;
    private final TopicPartition partition;

    public SettingsTopic(NeardupConfig config, ClusterAdmin admin) {
        this(config, admin, config.applicationId());
    }

    /** @param applicationId of an index, also of another than that of the settings */
    public SettingsTopic(NeardupConfig config, ClusterAdmin admin, String applicationId) {
        this.config = config;
        this.admin = admin;
        this.clients = StreamsSettings.clients(config);
        this.partition = new TopicPartition(new TopicNames(applicationId).settings(), 0);
    }

    /**
     * A kind of record. Its value is a JSON object with a format, so that what a later release adds shows by that.
     *
     * @param key that they have, or with a / at the end what their keys begin with
     * @param field of the object that has what is noted; empty where the other fields of the object are that
     */
    public record Kind<T>(String key, String field, Class<T> type) {
        /** What a record notes, if it is of this kind. */
        Optional<T> of(ConsumerRecord<byte[], byte[]> record) {
            return new String(record.key(), UTF_8).startsWith(key) ? Optional.of(read(record)) : Optional.empty();
        }

        private T read(ConsumerRecord<byte[], byte[]> record) {
            try {
                ObjectNode object = JSON.readValue(record.value(), ObjectNode.class);
                int format = object.path("format").asInt();
                if (format != FORMAT) {
                    throw new StartupException("topic " + record.topic() + ": expected format " + FORMAT
                            + ", found " + format
                            + "; run the release that wrote it, or start anew under another application.id");
                }
                return JSON.treeToValue(field.isEmpty() ? object : object.required(field), type);
            } catch (IOException | IllegalArgumentException e) {
                // Without its cause, which quotes the record, and the seed in it.
                throw new StartupException("topic " + record.topic() + ", offset " + record.offset()
                        + ": expected the settings of an index as JSON, found " + record.value().length
                        + " bytes that are not; start anew under another application.id");
            }
        }

        private byte[] write(T noted) {
            ObjectNode object = JSON.createObjectNode().put("format", FORMAT);
            JsonNode value = JSON.valueToTree(noted);
            JsonNode all = field.isEmpty() ? object.setAll((ObjectNode) value) : object.set(field, value);
            return all.toString().getBytes(UTF_8);
        }
    }

    /** What is taken over of the predecessor; the first that is written holds. */
    public static final Kind<Takeover> TAKEOVER = new Kind<>("takeover/", "takeover", Takeover.class);

    /** When all that the predecessor had written was read, in milliseconds; the last that is written holds. */
    public static final Kind<Long> FOLLOWED = new Kind<>("followed/read", "atMillis", Long.class);

    /** The topics that the index has met; the last that is written holds. */
    public static final Kind<KnownTopics> TOPICS = new Kind<>("topics", "topics", KnownTopics.class);

    /** What the index is made from; the first that is written holds. */
    public static final Kind<Predecessor> PREDECESSOR = new Kind<>("predecessor/", "predecessor", Predecessor.class);

    /** What it is seeded with; the first that is written holds. */
    public static final Kind<SeedPlan> SEEDS = new Kind<>("seeds/", "plan", SeedPlan.class);

    /** The first record, which has the id of the index as its key. */
    private static final Kind<Stored> FIRST = new Kind<>("", "", Stored.class);

    /** @param release that made the index; null of those that did not say so */
    private record Stored(
            String index,
            Map<String, String> settings,
            long hashSeed,
            @Nullable String release) {
        /** The seed is a secret. */
        @Override
        public String toString() {
            return "Stored[" + index + ", " + settings + ", " + release + "]";
        }
    }

    /**
     * Binds a new index to these settings, or checks them against those that it was made with.
     *
     * @param stateExists whether there is state already, so that the index cannot be new
     * @throws StartupException if the settings do not fit the index, or are lost
     */
    public StoredIndex agree(IndexSettings settings, boolean stateExists) {
        OptionalLong givenSeed = givenSeed();
        List<ConsumerRecord<byte[], byte[]>> records = records();
        if (index(records).isEmpty()) {
            writeFirst(settings, stateExists, givenSeed);
            records = records();
        }
        StoredIndex index = index(records)
                .orElseThrow(() -> new StartupException("topic " + partition.topic()
                        + ": expected the record that was just written, found none; check its cleanup.policy"));
        requireLayouts(index);
        List<String> differences = new ArrayList<>(settings.differences(index.settings()));
        seedDifference(givenSeed, index.hashSeed()).ifPresent(differences::add);
        StartupException.throwIfAny(
                differences,
                "The index of application.id " + config.applicationId() + StoredIndex.DOES_NOT_FIT
                        + "restore them, or start anew under another application.id.");
        return index;
    }

    /** What the topic, which must be there, holds; empty where nobody has written to it. */
    public Optional<StoredIndex> find() {
        return index(records());
    }

    /** As {@link #find}; empty also where the topic does not exist. */
    public Optional<StoredIndex> findIfThere() {
        return admin.findNow(List.of(partition.topic())).isEmpty() ? Optional.empty() : find();
    }

    private static Optional<StoredIndex> index(List<ConsumerRecord<byte[], byte[]>> records) {
        KnownTopics known = records.stream()
                .flatMap(record -> TOPICS.of(record).stream())
                .reduce((earlier, later) -> later)
                .orElse(KnownTopics.NONE);
        return first(records, SettingsTopic::stored)
                .map(stored -> new StoredIndex(
                        stored.index(),
                        new IndexSettings(stored.settings()),
                        Objects.requireNonNullElse(stored.release(), UNKNOWN_RELEASE),
                        stored.hashSeed(),
                        known,
                        first(records, SEEDS::of),
                        first(records, PREDECESSOR::of)));
    }

    /** Before anything else: where these differ, no settings help. */
    private void requireLayouts(StoredIndex index) {
        List<String> unsupported = index.settings().unsupportedLayouts(DedupTopology.layouts());
        if (!unsupported.isEmpty()) {
            String madeBy =
                    index.release().equals(UNKNOWN_RELEASE) ? "an earlier release" : "release " + index.release();
            throw new StartupException("The index of application.id " + config.applicationId()
                    + " was made by " + madeBy + ", and this one, " + release()
                    + ", does not read its layouts (" + String.join("; ", unsupported)
                    + "): run that release, or seed a new index from the unique documents of this one, under another"
                    + " application.id with neardup.seed.topics=" + config.uniqueTopic()
                    + " and outputs of other names, as src/docs/changes.md tells.");
        }
    }

    /** As the build wrote it into the jar. */
    private static String release() {
        String version = SettingsTopic.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }

    private void writeFirst(IndexSettings settings, boolean stateExists, OptionalLong givenSeed) {
        if (stateExists) {
            throw new StartupException("topic " + partition.topic() + ": expected the settings of the index of"
                    + " application.id " + config.applicationId()
                    + ", found an empty topic beside its changelogs; restore"
                    + " the topic, or start anew under another application.id");
        }
        String index = UUID.randomUUID().toString();
        write(index, FIRST.write(new Stored(index, settings.entries(), seedOfNewIndex(givenSeed), release())));
    }

    private static Optional<Stored> stored(ConsumerRecord<byte[], byte[]> record) {
        String key = new String(record.key(), UTF_8);
        return key.equals(TOPICS.key) || key.indexOf('/') >= 0 ? Optional.empty() : FIRST.of(record);
    }

    /**
     * Binds the index, which is made by now, to what was noted first of a kind: where that is nothing yet, to what is
     * given now, if no other instance is faster.
     */
    public <T> T bind(Kind<T> kind, Supplier<T> given) {
        return first(records(), kind::of).orElseGet(() -> {
            T noted = given.get();
            note(kind, noted);
            return first(records(), kind::of).orElse(noted);
        });
    }

    /** Notes something, for later starts and other instances. */
    public <T> void note(Kind<T> kind, T noted) {
        boolean isOwnKey = kind.key.endsWith("/");
        write(isOwnKey ? kind.key + UUID.randomUUID() : kind.key, kind.write(noted));
    }

    public void note(CutoverEvent event) {
        write(event.key(), event.value());
    }

    /** Writes nothing where the client is read-only. */
    private void write(String key, byte[] value) {
        if (!admin.isReadOnly()) {
            send(clients, List.of(new ProducerRecord<>(partition.topic(), 0, key.getBytes(UTF_8), value)));
        }
    }

    /**
     * Writes records in no transaction; returns when the brokers have them.
     *
     * @param clients what a client needs to reach the cluster
     */
    public static void send(Map<String, Object> clients, List<ProducerRecord<byte[], byte[]>> records) {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(new HashMap<>(clients), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (ProducerRecord<byte[], byte[]> record : records) {
                producer.send(record).get();
            }
        } catch (ExecutionException e) {
            throw new StartupException("topic " + records.get(0).topic() + ": cannot be written: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static <T> Optional<T> first(
            List<ConsumerRecord<byte[], byte[]>> records, Function<ConsumerRecord<byte[], byte[]>, Optional<T>> kind) {
        return records.stream().map(kind).flatMap(Optional::stream).findFirst();
    }

    /** All of the topic, which must not wait for open transactions: few records, and what is not compacted yet. */
    private List<ConsumerRecord<byte[], byte[]>> records() {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        Duration patience = Duration.ofSeconds(admin.answerSeconds());
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        Map<String, Object> settings = Map.of(
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_uncommitted",
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                (int) patience.toMillis());
        try (KafkaConsumer<byte[], byte[]> consumer = CommittedRecords.consumer(clients, settings)) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
                if (System.nanoTime() > deadlineNanos) {
                    throw new StartupException("topic " + partition.topic() + ": expected to read its " + end
                            + " records within " + patience.toSeconds() + " s; check that the broker is well");
                }
            }
            return records;
        } catch (TimeoutException e) {
            throw new StartupException(
                    "topic " + partition.topic() + ": expected the broker to tell where it ends, found no answer in"
                            + " time; check that it is well, and start again",
                    e);
        }
    }

    // ---- the secret seed of the hashes

    /** What the settings say: the seed itself, or that of another index; empty where nothing, or that is not there. */
    private OptionalLong givenSeed() {
        if (config.hashSeedOf().isEmpty()) {
            return config.hashSeed();
        }
        return new SettingsTopic(config, admin, config.hashSeedOf().get())
                .findIfThere().stream().mapToLong(StoredIndex::hashSeed).findFirst();
    }

    private long seedOfNewIndex(OptionalLong given) {
        if (given.isEmpty() && config.hashSeedOf().isPresent()) {
            String source = config.hashSeedOf().get();
            throw new StartupException(
                    "neardup.hash.seed: expected of: and the application.id of an index, found " + source
                            + ", of which topic " + new TopicNames(source).settings()
                            + " holds none; start that one first, or name another");
        }
        return given.orElseGet(() -> new SecureRandom().nextLong());
    }

    /** Empty where there is none, or nothing is said any more. */
    private Optional<String> seedDifference(OptionalLong given, long ofIndex) {
        String than =
                config.hashSeedOf().map(id -> " than that of " + id + " has").orElse("");
        return given.isPresent() && given.getAsLong() != ofIndex
                ? Optional.of("neardup.hash.seed: the index was made with another one" + than)
                : Optional.empty();
    }
}
