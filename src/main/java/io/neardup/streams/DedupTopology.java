package io.neardup.streams;

import io.neardup.config.DocumentFormat;
import io.neardup.config.NeardupConfig;
import io.neardup.document.DocumentReader;
import io.neardup.document.JsonDocumentReader;
import io.neardup.document.Pointers;
import io.neardup.document.TextDocumentReader;
import io.neardup.document.TextKind;
import io.neardup.family.Family;
import io.neardup.protocol.HomeRules;
import io.neardup.protocol.Partitions;
import io.neardup.protocol.Retention;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The flow, as two sub-topologies that talk through two topics.
 *
 * <pre>
 * documents[N] --> home --lookups[W]--> bands --replies[N]--> home --> unique | duplicate-of | dead-letter
 *                   ^------- verify / verdict (replies[N]) -------^
 * </pre>
 *
 * <p>A home is the task of one input partition: it reads, signs, asks and decides ({@link io.neardup.protocol.DocumentHome}).
 * A band partition owns some of the buckets ({@link io.neardup.protocol.BandIndex}). Who gets a message stands in the
 * message; the partition is chosen by that and never by a key.
 */
public final class DedupTopology {
    static final String DOCUMENTS = "documents";
    static final String REPLIES_IN = "replies-in";
    static final String HOME = "home";
    static final String LOOKUPS = "lookups";
    static final String REPLIES = "replies";
    static final String UNIQUE = "unique";
    static final String DUPLICATES = "duplicates";
    static final String DEAD_LETTER = "dead-letter";
    static final String LOOKUPS_IN = "lookups-in";
    static final String BANDS = "bands";
    static final String ANSWERS = "answers";

    static final String PROGRESS = "progress";
    static final String ORIGINALS = "originals";
    static final String BUCKETS = "buckets";

    private static final long ASK_AGAIN_MILLIS = 10_000;
    private static final int ASK_AGAIN_MAX = 1_000;
    /** Five times a second, so that a home forgets at least 5,000 a second, more than come. */
    private static final int EXPIRE_MAX = 1_000;

    /** Kafka Streams needs a timestamp that is not negative; records older than timestamps have -1. */
    private static final TimestampExtractor OWN_TIMESTAMP = (record, partitionTime) -> Math.max(0, record.timestamp());

    /**
     * A task takes the record with the lowest timestamp among its partitions: replies go before documents, whatever the
     * documents' timestamps are, so that little is in flight behind a backlog.
     */
    private static final TimestampExtractor FIRST = (record, partitionTime) -> 0;

    private final NeardupConfig config;
    private final Signing signing;
    private final Outputs outputs;
    private final InputGate gate;

    /**
     * What the output topics carry.
     *
     * @param documents both outputs of documents, {@link OutputRecords#DUPLICATE_BYTES_MAX} already taken off
     * @param deadLetter the dead-letter output
     */
    public record Outputs(OutputLimits documents, OutputLimits deadLetter) {}

    public DedupTopology(NeardupConfig config, Signing signing, Outputs outputs, InputGate gate) {
        this.config = config;
        this.signing = signing;
        this.outputs = outputs;
        this.gate = gate;
    }

    public Topology build() {
        Topology topology = new Topology();
        addHomes(topology);
        addBands(topology);
        return topology;
    }

    private void addHomes(Topology topology) {
        TopicNames names = new TopicNames(config.applicationId());
        HomeSettings settings = homeSettings(names.replies());
        topology.addSource(
                AutoOffsetReset.earliest(),
                DOCUMENTS,
                OWN_TIMESTAMP,
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                config.inputTopics().toArray(String[]::new));
        addSource(topology, REPLIES_IN, names.replies());
        topology.addProcessor(HOME, () -> new HomeProcessor(settings), DOCUMENTS, REPLIES_IN);
        storesOfHome().forEach(store -> topology.addStateStore(store, HOME));
        addSink(topology, LOOKUPS, names.lookups(), HOME);
        addSink(topology, REPLIES, names.replies(), HOME);
        addSink(topology, UNIQUE, config.uniqueTopic(), HOME);
        addSink(topology, DUPLICATES, config.duplicatesTopic(), HOME);
        addSink(topology, DEAD_LETTER, config.deadLetterTopic(), HOME);
    }

    private void addBands(Topology topology) {
        TopicNames names = new TopicNames(config.applicationId());
        addSource(topology, LOOKUPS_IN, names.lookups());
        topology.addProcessor(BANDS, () -> new BandProcessor(config.candidatesMax()), LOOKUPS_IN);
        topology.addStateStore(
                new BandStoreBuilder(BUCKETS, partitions(), config.bucketMax(), System::currentTimeMillis)
                        .withLoggingEnabled(changelogSettings()),
                BANDS);
        addSink(topology, ANSWERS, names.replies(), BANDS);
    }

    private static void addSource(Topology topology, String name, String topic) {
        topology.addSource(
                AutoOffsetReset.earliest(),
                name,
                FIRST,
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                topic);
    }

    private static void addSink(Topology topology, String name, String topic, String parent) {
        topology.addSink(
                name, topic, new Routed.KeySerializer(), new ByteArraySerializer(), Routed.PARTITIONER, parent);
    }

    private List<StoreBuilder<KeyValueStore<Bytes, byte[]>>> storesOfHome() {
        return List.of(
                Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(PROGRESS), Serdes.Bytes(), Serdes.ByteArray())
                        .withLoggingEnabled(changelogSettings()),
                Stores.keyValueStoreBuilder(
                                Stores.persistentKeyValueStore(ORIGINALS), Serdes.Bytes(), Serdes.ByteArray())
                        .withLoggingEnabled(changelogSettings()));
    }

    /** A changelog record carries the timestamp of what is being processed, which may lie far ahead of the clock. */
    private Map<String, String> changelogSettings() {
        return InternalTopics.settings(config);
    }

    private HomeSettings homeSettings(String repliesTopic) {
        return new HomeSettings(
                repliesTopic,
                new HomeRules(
                        config.threshold(),
                        config.candidatesMax(),
                        ASK_AGAIN_MILLIS,
                        ASK_AGAIN_MAX,
                        new Retention(config.retentionMillis(), config.refreshesRetention(), EXPIRE_MAX),
                        config.versions()),
                partitions(),
                signing,
                reader(config),
                outputs.documents(),
                new OutputRecords(config.duplicatesValue(), outputs.deadLetter()),
                gate);
    }

    private Partitions partitions() {
        return new Partitions(config.bandPartitions(), signing.banding().bands());
    }

    /** Makes readers of the configured format, each for one thread. */
    public static Supplier<DocumentReader> reader(NeardupConfig config) {
        TextKind textKind = config.family().content() == Family.Content.NUMBERS ? TextKind.NUMBERS : TextKind.STRING;
        Pointers pointers = new Pointers(
                config.documentId(), config.documentText(), config.scope().orElse(null));
        return config.documentFormat() == DocumentFormat.JSON
                ? () -> new JsonDocumentReader(pointers, textKind, config.documentBytesMax())
                : () -> new TextDocumentReader(config.documentBytesMax());
    }
}
