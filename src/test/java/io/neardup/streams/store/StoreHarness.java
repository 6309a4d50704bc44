package io.neardup.streams.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorRecordContext;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.test.TestRecord;

/** A store inside a task of Kafka Streams: each step is a record that a processor handles, and a commit. */
class StoreHarness<S extends LoggedStore> implements AutoCloseable {
    private static final byte[] NOTHING = {};

    private final Deque<Consumer<S>> steps = new ArrayDeque<>();
    private final TopologyTestDriver driver;
    private final TestInputTopic<byte[], byte[]> input;
    private final TestOutputTopic<byte[], byte[]> changelog;
    private InternalProcessorContext<?, ?> context;
    private S store;
    private Runnable stopLeaving;
    private Consumer<S> beforeCommit;

    /** @param writing what the store does before a commit */
    @SuppressWarnings("NullAway.Init")
    StoreHarness(StoreBuilder<S> builder, Map<String, String> stateSettings, Consumer<S> writing) {
        beforeCommit = writing;
        Topology topology = new Topology();
        topology.addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), "steps");
        topology.addProcessor("processor", () -> new Step(builder.name()), "source");
        topology.addStateStore(builder.withLoggingEnabled(Map.of()), "processor");
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "harness");
        settings.putAll(stateSettings);
        driver = new TopologyTestDriver(topology, settings);
        input = driver.createInputTopic("steps", new ByteArraySerializer(), new ByteArraySerializer());
        changelog = driver.createOutputTopic(
                "harness-" + builder.name() + "-changelog", new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private final class Step implements Processor<byte[], byte[], byte[], byte[]> {
        private final String storeName;

        Step(String storeName) {
            this.storeName = storeName;
        }

        @Override
        public void init(ProcessorContext<byte[], byte[]> initial) {
            context = (InternalProcessorContext<?, ?>) initial;
            store = initial.getStateStore(storeName);
            stopLeaving = CommitListeners.beforeEach(initial, () -> beforeCommit.accept(store));
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            steps.remove().accept(store);
        }

        @Override
        public void close() {
            stopLeaving.run();
        }
    }

    void step(Consumer<S> step) {
        steps.add(step);
        input.pipeInput(NOTHING, NOTHING);
    }

    /** A step with something else before its commit than that its changes are written. */
    void step(Consumer<S> step, Consumer<S> commit) {
        Consumer<S> writing = beforeCommit;
        beforeCommit = commit;
        step(step);
        beforeCommit = writing;
    }

    /** Leaves its folder to others; {@link #close} deletes it. */
    void closeStore() {
        stopLeaving.run();
        store.close();
    }

    /** From here on to the end of the step, or of what is done before a commit, no record can be written. */
    void leaveNoTime() {
        context.setRecordContext(new ProcessorRecordContext(-1, 0, 0, "steps", new RecordHeaders()));
    }

    /** What was written to the changelog since the last call. */
    List<TestRecord<byte[], byte[]>> changelog() {
        return changelog.readRecordsToList();
    }

    @Override
    public void close() {
        driver.close();
    }
}
