package io.neardup.service.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.config.IndexSettings;
import io.neardup.config.NeardupConfig;
import io.neardup.service.migration.CutoverCourse;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.input.SeedPlan;
import io.neardup.streams.input.Takeover;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.DedupTopology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * What an index was made with: the first record of a compacted topic of one partition. Whoever starts first writes it.
 * Where two start at once, each record has a key of its own and stays, and the one with the lower offset holds. Behind
 * it, under one key, stand the topics that the index has met, and the inputs of who started last; the last such record
 * holds. So does the last of each instance that has made the index beside outputs that held records. Then what it is
 * seeded with, and which coordinator has read which seed: each record under a key of its own, and the first holds. And
 * the facts of a cutover, which {@link CutoverCourse} follows.
 */
public final class SettingsTopic {
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);
    private static final int FORMAT = 1;
    private static final String TOPICS_KEY = "topics";
    private static final String INPUTS_KEY = "inputs/last";
    private static final String OUTPUTS_HELD_PREFIX = "outputs-held/";
    private static final String SEEDS_PREFIX = "seeds/";
    private static final String PREDECESSOR_PREFIX = "predecessor/";
    private static final String TAKEOVER_PREFIX = "takeover/";
    private static final String FOLLOWED_KEY = "followed/read";
    /** What a later release adds is told by its format, not by what this one does not know. */
    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private final NeardupConfig config;
    private final Map<String, Object> clients;
    private final TopicPartition partition;

    /** @param clients what a client needs to reach the cluster */
    public SettingsTopic(NeardupConfig config, Map<String, Object> clients) {
        this(config, config.applicationId(), clients);
    }

    /** @param applicationId of an index, also of another than that of the settings */
    public SettingsTopic(NeardupConfig config, String applicationId, Map<String, Object> clients) {
        this.config = config;
        this.clients = clients;
        this.partition = new TopicPartition(new TopicNames(applicationId).settings(), 0);
    }

    /**
     * The record's value.
     *
     * @param release that made the index; null of those that did not say so
     */
    private record Stored(
            int format,
            String index,
            Map<String, String> settings,
            long hashSeed,
            @Nullable String release) {

        /** The seed is a secret. */
        @Override
        public String toString() {
            return "Stored[" + format + ", " + index + ", " + settings + ", " + release + "]";
        }
    }

    /** The value of a record under {@link #TOPICS_KEY}. */
    private record StoredTopics(int format, Map<String, List<String>> topics) {}

    /** The value of a record under {@link #INPUTS_KEY}: what the instance that was started last reads. */
    public record Inputs(int format, String instance, Set<String> topics) {}

    /**
     * The value of a record under a key that begins with {@link #OUTPUTS_HELD_PREFIX}.
     *
     * @param instance that made the index
     * @param topics the outputs that held records already; empty where it was started again since
     */
    public record OutputsHeld(int format, String instance, Set<String> topics) {}

    /** The value of a record under a key that begins with {@link #SEEDS_PREFIX}. */
    private record StoredSeeds(int format, SeedPlan plan) {}

    /** The value of a record under a key that begins with {@link #PREDECESSOR_PREFIX}. */
    private record StoredPredecessor(int format, Predecessor predecessor) {}

    /** The value of a record under a key that begins with {@link #TAKEOVER_PREFIX}. */
    private record StoredTakeover(int format, Takeover takeover) {}

    /** The value of a record under {@link #FOLLOWED_KEY}. */
    private record StoredFollowed(int format, long atMillis) {}

    /**
     * What tells one index from another.
     *
     * @param id distinct for each index ever made
     * @param hashSeed secret
     * @param settings that it was made with; its layouts are among them
     */
    public record Index(String id, long hashSeed, KnownTopics topics, IndexSettings settings) {

        public Map<String, String> madeWith() {
            return settings.entries();
        }

        /** Of a partition of a changelog: distinct among all of all indexes, wherever they are. */
        public String changelogName(TopicPartition partition) {
            String topic = topics.id(partition.topic()).orElseThrow();
            return id + "/" + topic + "/" + partition.partition();
        }

        public Index with(KnownTopics known) {
            return new Index(id, hashSeed, known, settings);
        }

        /** The seed is a secret. */
        @Override
        public String toString() {
            return "Index[" + id + "]";
        }
    }

    /**
     * Binds a new index to these settings, or checks them against those that it was made with.
     *
     * @param stateExists whether there is state already, so that the index cannot be new
     * @param hashSeed what the settings say of it
     * @throws StartupException if the settings do not fit the index, or are lost
     */
    public Index agree(IndexSettings settings, boolean stateExists, HashSeed hashSeed) {
        List<ConsumerRecord<String, String>> records = records();
        Stored stored = first(records)
                .or(() -> writeFirst(settings, stateExists, hashSeed))
                .orElseThrow(() -> new StartupException(List.of("topic " + partition.topic()
                        + ": expected the record that was just written, found none; check its cleanup.policy")));
        IndexSettings ofIndex = new IndexSettings(stored.settings());
        requireLayouts(ofIndex, stored.release());
        List<String> differences = new ArrayList<>(settings.differences(ofIndex));
        hashSeed.difference(stored.hashSeed()).ifPresent(differences::add);
        if (!differences.isEmpty()) {
            differences.add("The index of application.id " + config.applicationId()
                    + " does not fit these settings (bands and rows follow from threshold, recall and index size):"
                    + " restore them, or start anew under another application.id.");
            throw new StartupException(differences);
        }
        return new Index(stored.index(), stored.hashSeed(), topics(records), ofIndex);
    }

    /** What the topic, which must be there, holds; empty where nobody has written to it. */
    public Optional<StoredIndex> find() {
        List<ConsumerRecord<String, String>> records = records();
        SeedPlan seeds = seedsOfOriginals(records);
        // Which documents of a predecessor's seeds are still originals is not known.
        boolean isUncertain = seeds.judged() || predecessor(records).isPresent();
        return first(records)
                .map(stored -> new StoredIndex(
                        stored.index(),
                        new IndexSettings(stored.settings()),
                        Objects.requireNonNullElse(stored.release(), "(unknown)"),
                        stored.hashSeed(),
                        seeds.ends(),
                        isUncertain && !seeds.topics().isEmpty()));
    }

    /** Before anything else: where these differ, no settings help. */
    private void requireLayouts(IndexSettings ofIndex, @Nullable String madeBy) {
        List<String> unread = ofIndex.unreadLayouts(DedupTopology.layouts());
        if (!unread.isEmpty()) {
            throw new StartupException(List.of("The index of application.id " + config.applicationId()
                    + " was made by " + (madeBy == null ? "an earlier release" : "release " + madeBy)
                    + ", and this one, " + release() + ", does not read its layouts (" + String.join("; ", unread)
                    + "): run that release, or make a new index of what it has released, under another application.id"
                    + " with neardup.seed.topics=" + config.uniqueTopic()
                    + " and outputs of other names, as src/docs/changes.md tells."));
        }
    }

    /** As the build wrote it into the jar. */
    private static String release() {
        String version = SettingsTopic.class.getPackage().getImplementationVersion();
        return Objects.requireNonNullElse(version, "(not packaged)");
    }

    private Optional<Stored> writeFirst(IndexSettings settings, boolean stateExists, HashSeed hashSeed) {
        if (stateExists) {
            throw new StartupException(List.of("topic " + partition.topic() + ": expected the settings of the index of"
                    + " application.id " + config.applicationId()
                    + ", found an empty topic beside its changelogs; restore"
                    + " the topic, or start anew under another application.id"));
        }
        String index = UUID.randomUUID().toString();
        write(index, new Stored(FORMAT, index, settings.entries(), hashSeed.ofNewIndex(), release()));
        return first(records());
    }

    /**
     * What the index is seeded with: what it was made with, or else what is given now, if it has no state yet.
     *
     * @param given asked for only then
     */
    public Optional<SeedPlan> seeds(boolean stateExists, Supplier<SeedPlan> given) {
        Optional<SeedPlan> stored = seeds(records());
        if (stored.isPresent() || stateExists) {
            return stored;
        }
        write(SEEDS_PREFIX + UUID.randomUUID(), new StoredSeeds(FORMAT, given.get()));
        return seeds(records());
    }

    private static Optional<SeedPlan> seeds(List<ConsumerRecord<String, String>> records) {
        return records.stream()
                .filter(record -> record.key().startsWith(SEEDS_PREFIX))
                .findFirst()
                .map(record ->
                        read(record, StoredSeeds.class, StoredSeeds::format).plan());
    }

    /** Its own, or those of the index that it is made from. */
    private static SeedPlan seedsOfOriginals(List<ConsumerRecord<String, String>> records) {
        return seeds(records)
                .or(() -> predecessor(records).map(Predecessor::seeds))
                .orElse(SeedPlan.NONE);
    }

    /** The seeds that its originals may be of. */
    public SeedPlan seedsOfOriginals() {
        return seedsOfOriginals(records());
    }

    /** What the index is made from; empty where that is nothing, or seeds. */
    public Optional<Predecessor> predecessor() {
        return predecessor(records());
    }

    private static Optional<Predecessor> predecessor(List<ConsumerRecord<String, String>> records) {
        return records.stream()
                .filter(record -> record.key().startsWith(PREDECESSOR_PREFIX))
                .findFirst()
                .map(record -> read(record, StoredPredecessor.class, StoredPredecessor::format)
                        .predecessor());
    }

    /** What a record of the topic settles that the index is made from, if it is one of these. */
    public static Optional<Predecessor> predecessor(ConsumerRecord<byte[], byte[]> record) {
        if (!new String(record.key(), UTF_8).startsWith(PREDECESSOR_PREFIX)) {
            return Optional.empty();
        }
        String value = new String(record.value(), UTF_8);
        return Optional.of(
                read(value, record.topic(), record.offset(), StoredPredecessor.class, StoredPredecessor::format)
                        .predecessor());
    }

    /** Binds the index to what it is made from; where another instance was faster, to what that has found. */
    public Predecessor bind(Predecessor predecessor) {
        write(PREDECESSOR_PREFIX + UUID.randomUUID(), new StoredPredecessor(FORMAT, predecessor));
        return predecessor().orElse(predecessor);
    }

    /** Settles what is taken over of the predecessor; the first that is written holds. */
    public void settle(Takeover takeover) {
        write(TAKEOVER_PREFIX + UUID.randomUUID(), new StoredTakeover(FORMAT, takeover));
    }

    /** What a record of the topic settles to be taken over, if it is one of these. */
    public static Optional<Takeover> takeover(ConsumerRecord<byte[], byte[]> record) {
        if (!new String(record.key(), UTF_8).startsWith(TAKEOVER_PREFIX)) {
            return Optional.empty();
        }
        String value = new String(record.value(), UTF_8);
        return Optional.of(read(value, record.topic(), record.offset(), StoredTakeover.class, StoredTakeover::format)
                .takeover());
    }

    /** Notes when all that the predecessor had written was read; the last that is written holds. */
    public void noteFollowed(long atMillis) {
        write(FOLLOWED_KEY, new StoredFollowed(FORMAT, atMillis));
    }

    /** What a record of the topic notes of that, if it is one of these; nothing was read when the index was made. */
    public static Optional<Long> followed(ConsumerRecord<byte[], byte[]> record) {
        if (predecessor(record).isPresent()) {
            return Optional.of(record.timestamp());
        }
        if (!new String(record.key(), UTF_8).equals(FOLLOWED_KEY)) {
            return Optional.empty();
        }
        String value = new String(record.value(), UTF_8);
        return Optional.of(read(value, record.topic(), record.offset(), StoredFollowed.class, StoredFollowed::format)
                .atMillis());
    }

    /** The topics that the index has met. */
    public KnownTopics topics() {
        return topics(records());
    }

    /** Notes the topics for later starts. */
    public void remember(KnownTopics topics) {
        write(TOPICS_KEY, new StoredTopics(FORMAT, topics.ids()));
    }

    /** Notes what an instance reads that starts. */
    public void noteInputs(String instance, Set<String> topics) {
        write(INPUTS_KEY, new Inputs(FORMAT, instance, topics));
    }

    /** What a record of the topic notes of that, if it is one of these. */
    public static Optional<Inputs> inputs(ConsumerRecord<byte[], byte[]> record) {
        if (!new String(record.key(), UTF_8).equals(INPUTS_KEY)) {
            return Optional.empty();
        }
        String value = new String(record.value(), UTF_8);
        return Optional.of(read(value, record.topic(), record.offset(), Inputs.class, Inputs::format));
    }

    /** Notes which outputs held records when an instance made the index; the last that is written of it holds. */
    public void noteOutputsHeld(String instance, Set<String> topics) {
        write(OUTPUTS_HELD_PREFIX + instance, new OutputsHeld(FORMAT, instance, topics));
    }

    /** What a record of the topic notes of that, if it is one of these. */
    public static Optional<OutputsHeld> outputsHeld(ConsumerRecord<byte[], byte[]> record) {
        if (!new String(record.key(), UTF_8).startsWith(OUTPUTS_HELD_PREFIX)) {
            return Optional.empty();
        }
        String value = new String(record.value(), UTF_8);
        return Optional.of(read(value, record.topic(), record.offset(), OutputsHeld.class, OutputsHeld::format));
    }

    private void write(String key, Object stored) {
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(clients, new StringSerializer(), new StringSerializer())) {
            String value = JSON.writeValueAsString(stored);
            producer.send(new ProducerRecord<>(partition.topic(), 0, key, value))
                    .get();
        } catch (ExecutionException | JsonProcessingException e) {
            throw new StartupException("topic " + partition.topic() + ": cannot be written: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static Optional<Stored> first(List<ConsumerRecord<String, String>> records) {
        return records.stream()
                .filter(record -> isOfIndex(record.key()))
                .findFirst()
                .map(record -> read(record, Stored.class, Stored::format));
    }

    /** The first record has the id of the index as its key. */
    private static boolean isOfIndex(String key) {
        return !key.equals(TOPICS_KEY) && key.indexOf('/') < 0;
    }

    private static KnownTopics topics(List<ConsumerRecord<String, String>> records) {
        return records.stream()
                .filter(record -> record.key().equals(TOPICS_KEY))
                .reduce((earlier, later) -> later)
                .map(record -> new KnownTopics(
                        read(record, StoredTopics.class, StoredTopics::format).topics()))
                .orElse(KnownTopics.NONE);
    }

    /** All of the topic: few records, and what is not compacted yet. */
    private List<ConsumerRecord<String, String>> records() {
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                StreamsSettings.brief(clients), new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            long deadlineNanos = System.nanoTime() + READ_TIMEOUT.toNanos();
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
                if (System.nanoTime() > deadlineNanos) {
                    throw new StartupException(List.of("topic " + partition.topic() + ": expected to read its " + end
                            + " records within " + READ_TIMEOUT.toSeconds() + " s; check that the broker is well"));
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

    private static <T> T read(ConsumerRecord<String, String> record, Class<T> kind, ToIntFunction<T> format) {
        return read(record.value(), record.topic(), record.offset(), kind, format);
    }

    private static <T> T read(String value, String topic, long offset, Class<T> kind, ToIntFunction<T> format) {
        try {
            T stored = JSON.readValue(value, kind);
            if (format.applyAsInt(stored) != FORMAT) {
                throw new StartupException(List.of("topic " + topic + ": expected format " + FORMAT + ", found "
                        + format.applyAsInt(stored)
                        + "; run the release that wrote it, or start anew under another application.id"));
            }
            return stored;
        } catch (JsonProcessingException e) {
            // Without its cause, which quotes the record, and the seed in it.
            throw new StartupException(List.of("topic " + topic + ", offset " + offset
                    + ": expected the settings of an index as JSON, found " + value.length()
                    + " characters that are not; start anew under another application.id"));
        }
    }
}
