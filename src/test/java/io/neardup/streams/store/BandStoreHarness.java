package io.neardup.streams.store;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.BandIndex.BandState;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Partitions;
import io.neardup.streams.metrics.DiskFailures;
import io.neardup.streams.topology.PreCommitHook;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorRecordContext;
import org.apache.kafka.streams.test.TestRecord;

/** A {@link BandStore} inside a task of Kafka Streams: each call is a record that a processor handles, and a commit. */
final class BandStoreHarness implements BandState, AutoCloseable {
    private static final String STORE = "buckets";
    private static final byte[] NOTHING = {};

    private final Deque<Consumer<BandStore>> steps = new ArrayDeque<>();
    private final TopologyTestDriver driver;
    private final TestInputTopic<byte[], byte[]> input;
    private final TestOutputTopic<byte[], byte[]> changelog;
    private InternalProcessorContext<?, ?> context;
    private BandStore store;
    private Runnable leaving;
    private Consumer<BandStore> beforeCommit = BandStore::writeChanges;

    BandStoreHarness(int bands, int bucketMax) {
        this(bands, bucketMax, Map.of(), () -> 0);
    }

    /** @param stateFolder where the store finds and leaves its snapshot, {@link #snapshot in there} */
    BandStoreHarness(int bands, int bucketMax, Path stateFolder, LongSupplier nowMillis) {
        this(bands, bucketMax, Map.of(StreamsConfig.STATE_DIR_CONFIG, stateFolder.toString()), nowMillis);
    }

    @SuppressWarnings("NullAway.Init")
    private BandStoreHarness(int bands, int bucketMax, Map<String, String> stateSettings, LongSupplier nowMillis) {
        Topology topology = new Topology();
        topology.addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), "steps");
        topology.addProcessor("processor", Step::new, "source");
        topology.addStateStore(
                BandStore.builder(
                                STORE,
                                new Partitions(1, bands),
                                bucketMax,
                                TopicPartition::toString,
                                new DiskFailures(),
                                nowMillis)
                        .withLoggingEnabled(Map.of()),
                "processor");
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "harness");
        settings.putAll(stateSettings);
        driver = new TopologyTestDriver(topology, settings);
        input = driver.createInputTopic("steps", new ByteArraySerializer(), new ByteArraySerializer());
        changelog = driver.createOutputTopic(
                "harness-" + STORE + "-changelog", new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** The store's snapshot. */
    static Path snapshot(Path stateFolder) {
        return stateFolder.resolve("harness").resolve("0_0").resolve(STORE + ".snapshot");
    }

    private final class Step extends ContextualProcessor<byte[], byte[], byte[], byte[]> {
        @Override
        public void init(ProcessorContext<byte[], byte[]> context) {
            super.init(context);
            BandStoreHarness.this.context = (InternalProcessorContext<?, ?>) context;
            store = context.getStateStore(STORE);
            leaving = PreCommitHook.of(context, () -> beforeCommit.accept(store));
            CommitListeners.before().add(leaving);
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            steps.remove().accept(store);
        }

        @Override
        public void close() {
            CommitListeners.before().remove(leaving);
        }
    }

    void step(Consumer<BandStore> step) {
        steps.add(step);
        input.pipeInput(NOTHING, NOTHING);
    }

    /** Leaves its folder to others; {@link #close} deletes it. */
    void closeStore() {
        CommitListeners.before().remove(leaving);
        store.close();
    }

    /** From here on to the end of the step, or of what is done before a commit, no record can be written. */
    void leaveNoTime() {
        context.setRecordContext(new ProcessorRecordContext(-1, 0, 0, "steps", new RecordHeaders()));
    }

    /** A step with something else before its commit than that its changes are written. */
    void step(Consumer<BandStore> step, Consumer<BandStore> commit) {
        beforeCommit = commit;
        step(step);
        beforeCommit = BandStore::writeChanges;
    }

    /** What was written to the changelog since the last call. */
    List<TestRecord<byte[], byte[]>> changelog() {
        return changelog.readRecordsToList();
    }

    @Override
    public Found find(DocumentRef document, BandKeys keys, int max) {
        List<Found> found = new ArrayList<>();
        step(store -> found.add(store.find(document, keys, max)));
        return found.get(0);
    }

    @Override
    public void insert(DocumentRef document, BandKeys keys) {
        step(store -> store.insert(document, keys));
    }

    @Override
    public void remove(DocumentRef document, BandKeys keys) {
        step(store -> store.remove(document, keys));
    }

    @Override
    public void drop(DocumentRef document, BandKeys keys) {
        step(store -> store.drop(document, keys));
    }

    @Override
    public void close() {
        driver.close();
    }
}
