package io.neardup.streams.topology;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.engine.protocol.CoordinatorRules;
import io.neardup.engine.protocol.CoordinatorRules.Slice;
import io.neardup.engine.protocol.CoordinatorRules.StepBounds;
import io.neardup.engine.protocol.Partitions;
import io.neardup.record.InputRecord;
import io.neardup.streams.input.InputGate;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.store.BandLogCodec;
import io.neardup.streams.store.BandStore;
import io.neardup.streams.store.LoggedStore;
import io.neardup.streams.store.MessageCodec;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.OriginalStore;
import io.neardup.streams.store.OriginalsMemory;
import io.neardup.streams.store.ProgressStore;
import io.neardup.streams.store.StateCodec;
import io.neardup.streams.store.TopicNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.processor.WallclockTimestampExtractor;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The flow, as two sub-topologies that talk through two topics.
 *
 * <pre>
 * documents[N] --> coordinator --lookups[W]--> bands --replies[N]--> coordinator --> unique | duplicate-of |
 *                   dead-letter, verdicts ^-------- verify / answer (replies[N]) -------^
 * </pre>
 *
 * <p>If there are seeds, a relay brings them to the coordinators: seed topics --> relay --seeds[N]--> coordinator. The
 * originals of a predecessor come the same way, from its changelog of originals.
 *
 * <p>If stories are written, coordinators report copies and ends of originals: coordinator --story-events[W]--> story
 * keeper --> stories. The stories of a predecessor come from its changelog, through a relay, the same way.
 *
 * <p>A check writes to lookups and replies, and reads the answers from the topic checks.
 *
 * <p>N is the number of input partitions, W that of index partitions. A coordinator is the task of one input partition:
 * it reads, signs, asks and decides ({@link io.neardup.engine.protocol.DocumentCoordinator}). An index partition owns
 * some of the buckets ({@link io.neardup.engine.protocol.BandIndex}). Messages between them go to an explicit partition
 * ({@link Routed}), that of their receiver, and have no key.
 *
 * @param cutover the latest known state of a cutover
 * @param changelogName a name for a changelog partition, unique among the changelogs of all indexes; files on disk are
 *     used only with the changelog they were written for
 * @param topicId the id of a topic that is not a changelog; a topic that is deleted and recreated gets another
 */
public record DedupTopology(
        NeardupConfig config,
        Signing signing,
        OutputLimits.ByOutput limits,
        InputGate gate,
        InputGenerations generations,
        Seeding seeding,
        Supplier<KnownCutover> cutover,
        ServiceCounts counts,
        Function<TopicPartition, String> changelogName,
        UnaryOperator<String> topicId) {
    /**
     * Every 200 ms: so a coordinator looks at up to 5,000 originals or 80 MB a second to remove them, meant to exceed
     * what is added.
     */
    private static final Slice REMOVED_MAX = new Slice(1_000, 16 << 20);

    /** Some 0.2 s of work. */
    private static final int VERIFIED_BYTES = 16 << 20;

    /** A tenth of the evidence that one core of 2025 compares in a millisecond. */
    private static final int BYTES_PER_MILLI = 10_000;

    /** Kafka Streams needs a timestamp that is not negative; records older than timestamps have -1. */
    private static final TimestampExtractor OWN_TIMESTAMP = (record, partitionTime) -> Math.max(0, record.timestamp());

    /**
     * A task takes the record with the lowest timestamp among its partitions: replies go before documents, whatever the
     * documents' timestamps are, so that little is in flight behind a backlog.
     */
    private static final TimestampExtractor BEFORE_DOCUMENTS = (record, partitionTime) -> 0;

    /**
     * The layout versions of this release, by kind; an index with others is refused. Layouts of stories are not among
     * them: an index is complete without its stories.
     */
    public static Map<String, Integer> layouts() {
        return Map.of("band-log", BandLogCodec.VERSION, "messages", MessageCodec.VERSION, "state", StateCodec.VERSION);
    }

    /**
     * Adds the flow to the topology of an application, beside the nodes that it has.
     *
     * @return the given one
     * @throws org.apache.kafka.streams.errors.TopologyException if it has nodes or stores of these names, or reads an
     *     input topic itself
     */
    public Topology addTo(Topology topology) {
        addCoordinators(topology);
        addBands(topology);
        // Kafka Streams numbers sub-topologies by the sorted names of their source nodes: those below come after
        // documents and lookups-in, so these settings do not renumber coordinators and bands.
        if (!config.seedTopics().isEmpty()) {
            addSeeds(topology);
        }
        predecessorOriginals().ifPresent(originals -> addPredecessor(topology, originals));
        if (config.writesStories()) {
            addStories(topology);
        }
        return topology;
    }

    private void addStories(Topology topology) {
        addSource(topology, NodeNames.STORY_EVENTS_IN, BEFORE_DOCUMENTS, names().storyEvents());
        topology.addProcessor(NodeNames.STORY_KEEPER, () -> new StoryProcessor(this), NodeNames.STORY_EVENTS_IN);
        topology.addStateStore(
                Stores.keyValueStoreBuilder(
                                Stores.persistentKeyValueStore(NodeNames.STORIES), Serdes.Bytes(), Serdes.ByteArray())
                        .withCachingDisabled()
                        .withLoggingEnabled(InternalTopics.storiesSettings(config)),
                NodeNames.STORY_KEEPER);
        addSink(topology, NodeNames.STORIES_OUT, config.storiesTopic(), NodeNames.STORY_KEEPER);
        addSink(topology, NodeNames.STORY_NOTES, names().settings(), NodeNames.STORY_KEEPER);
        TopicNames.predecessorStories(seeding.predecessor(), config).stream()
                .map(TopicPartition::topic)
                .findFirst()
                .ifPresent(stories -> addInheritedStories(topology, stories));
    }

    private void addInheritedStories(Topology topology, String stories) {
        // A row in the changelog has the time of its event, which is 0.
        addSource(topology, NodeNames.STORY_PREDECESSOR, new WallclockTimestampExtractor(), stories);
        topology.addProcessor(
                NodeNames.STORY_RELAY,
                () -> new Relay(
                        NodeNames.STORIES_INHERITED,
                        row -> StoryProcessor.route(row, seeding, config.indexPartitions())),
                NodeNames.STORY_PREDECESSOR);
        addSink(topology, NodeNames.STORIES_INHERITED, names().storyEvents(), NodeNames.STORY_RELAY);
    }

    private void addSeeds(Topology topology) {
        int bytesMax = InternalTopics.recordBytesMax(config);
        addSource(
                topology,
                NodeNames.SEED_TOPICS,
                OWN_TIMESTAMP,
                config.seedTopics().toArray(String[]::new));
        topology.addProcessor(
                NodeNames.SEED_RELAY,
                () -> new Relay(NodeNames.SEEDS, seed -> SeedRecords.route(seed, seeding, bytesMax)),
                NodeNames.SEED_TOPICS);
        addSink(topology, NodeNames.SEEDS, names().seeds(), NodeNames.SEED_RELAY);
    }

    private void addPredecessor(Topology topology, String originals) {
        addSource(topology, NodeNames.PREDECESSOR, OWN_TIMESTAMP, originals);
        topology.addProcessor(
                NodeNames.ORIGINAL_RELAY,
                () -> new Relay(NodeNames.SEEDS, new SeedRecords.ChangeRouter(seeding)),
                NodeNames.PREDECESSOR);
        addSink(topology, NodeNames.SEEDS, names().seeds(), NodeNames.ORIGINAL_RELAY);
    }

    /**
     * Forwards seed documents, a predecessor's originals and story rows to the partition that takes them. All is sent
     * at once: this task has no store, so nothing tells it of a commit, and what it had gathered by then would be lost
     * with a kill.
     */
    private static final class Relay extends ContextualProcessor<byte[], byte[], Routed, byte[]> {
        private final String sink;
        private final Function<InputRecord, Stream<Record<Routed, byte[]>>> route;

        Relay(String sink, Function<InputRecord, Stream<Record<Routed, byte[]>>> route) {
            this.sink = sink;
            this.route = route;
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            route.apply(OutputRecords.input(record, context().recordMetadata().orElseThrow()))
                    .forEachOrdered(routed -> context().forward(routed, sink));
        }
    }

    /** The changelog of the originals of the predecessor. */
    private Optional<String> predecessorOriginals() {
        return config.successorOf().map(before -> new TopicNames(before).originalsChangelog());
    }

    /** The topics that gate and seeding may close: inputs, seed topics, a predecessor's originals, the topic seeds. */
    public List<String> gatedTopics() {
        List<String> topics = new ArrayList<>(config.inputTopics());
        topics.addAll(config.seedTopics());
        predecessorOriginals().ifPresent(topics::add);
        topics.add(names().seeds());
        return topics;
    }

    TopicNames names() {
        return new TopicNames(config.applicationId());
    }

    private void addCoordinators(Topology topology) {
        TopicNames names = names();
        addSource(
                topology,
                NodeNames.DOCUMENTS,
                OWN_TIMESTAMP,
                config.inputTopics().toArray(String[]::new));
        addSource(topology, NodeNames.REPLIES_IN, BEFORE_DOCUMENTS, names.replies());
        List<String> sources = new ArrayList<>(List.of(NodeNames.DOCUMENTS, NodeNames.REPLIES_IN));
        if (TopicNames.hasSeeds(config)) {
            addSource(topology, NodeNames.SEEDS_IN, OWN_TIMESTAMP, names.seeds());
            sources.add(NodeNames.SEEDS_IN);
        }
        topology.addProcessor(
                NodeNames.COORDINATOR, () -> new CoordinatorProcessor(this), sources.toArray(String[]::new));
        storesOfCoordinator().forEach(store -> topology.addStateStore(store, NodeNames.COORDINATOR));
        addSink(topology, NodeNames.LOOKUPS, names.lookups(), NodeNames.COORDINATOR);
        addSink(topology, NodeNames.REPLIES, names.replies(), NodeNames.COORDINATOR);
        addSink(topology, NodeNames.CHECKS_OF_COORDINATOR, names.checks(), NodeNames.COORDINATOR);
        addSink(topology, NodeNames.NOTES, names.settings(), NodeNames.COORDINATOR);
        if (config.writesRecords()) {
            addSink(topology, NodeNames.UNIQUE, config.uniqueTopic(), NodeNames.COORDINATOR);
            addSink(topology, NodeNames.DUPLICATES, config.duplicatesTopic(), NodeNames.COORDINATOR);
            addSink(topology, NodeNames.DEAD_LETTER, config.deadLetterTopic(), NodeNames.COORDINATOR);
        }
        if (config.writesVerdicts()) {
            addSink(topology, NodeNames.VERDICTS, config.verdictsTopic(), NodeNames.COORDINATOR);
        }
        if (config.writesStories()) {
            addSink(topology, NodeNames.STORY_EVENTS, names.storyEvents(), NodeNames.COORDINATOR);
        }
    }

    private void addBands(Topology topology) {
        TopicNames names = names();
        addSource(topology, NodeNames.LOOKUPS_IN, BEFORE_DOCUMENTS, names.lookups());
        topology.addProcessor(NodeNames.BANDS, () -> new BandProcessor(counts), NodeNames.LOOKUPS_IN);
        Partitions partitions = partitions();
        topology.addStateStore(
                LoggedStore.builderOf(
                                NodeNames.BUCKETS,
                                () -> new BandStore(
                                        NodeNames.BUCKETS,
                                        partitions,
                                        config.bucketMax(),
                                        changelogName,
                                        counts.disk(),
                                        System::currentTimeMillis))
                        .withLoggingEnabled(InternalTopics.compactedSettings(config)),
                NodeNames.BANDS);
        addSink(topology, NodeNames.ANSWERS, names.replies(), NodeNames.BANDS);
        addSink(topology, NodeNames.CHECKS_OF_BANDS, names.checks(), NodeNames.BANDS);
    }

    private static void addSource(Topology topology, String name, TimestampExtractor timestamps, String... topics) {
        topology.addSource(
                AutoOffsetReset.earliest(),
                name,
                timestamps,
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                topics);
    }

    private static void addSink(Topology topology, String name, String topic, String parent) {
        topology.addSink(name, topic, Routed.KEY_SERIALIZER, new ByteArraySerializer(), Routed.PARTITIONER, parent);
    }

    private List<StoreBuilder<?>> storesOfCoordinator() {
        OriginalsMemory memory = new OriginalsMemory(config.originalsMemoryBytes());
        return List.of(
                LoggedStore.builderOf(NodeNames.PROGRESS, () -> new ProgressStore(NodeNames.PROGRESS))
                        .withLoggingEnabled(InternalTopics.progressSettings(config)),
                LoggedStore.builderOf(
                                NodeNames.ORIGINALS,
                                () -> new OriginalStore(
                                        NodeNames.ORIGINALS,
                                        memory,
                                        System::currentTimeMillis,
                                        OriginalStore.secondaryKeys(config.versions()),
                                        changelogName))
                        .withLoggingEnabled(InternalTopics.compactedSettings(config)));
    }

    CoordinatorRules rules() {
        return signing.rules(config, new StepBounds(1_000, REMOVED_MAX, VERIFIED_BYTES, StepBounds.SKETCHES_MAX));
    }

    /**
     * The evidence that one step of a coordinator compares at the most: the bound, and the pair that reaches it.
     *
     * @return bytes
     */
    public static long verifiedBytesMax(NeardupConfig config) {
        return VERIFIED_BYTES + 2L * InternalTopics.textBytesMax(config);
    }

    /** How long a step of a coordinator takes at the most, on a slow machine. */
    public static long stepMillisMax(NeardupConfig config) {
        return verifiedBytesMax(config) / BYTES_PER_MILLI;
    }

    Partitions partitions() {
        return new Partitions(config.indexPartitions(), signing.banding().bands());
    }
}
