package io.neardup.streams;

import io.neardup.lsh.BandKeys;
import io.neardup.protocol.BandState;
import io.neardup.protocol.Candidate;
import io.neardup.protocol.Partitions;
import io.neardup.protocol.Ref;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.test.TestRecord;

/** A {@link BandStore} inside a task of Kafka Streams: each call is one record that a processor handles. */
final class BandStoreBench implements BandState, AutoCloseable {
    private static final String STORE = "buckets";
    private static final byte[] NOTHING = {};

    private final Deque<Consumer<BandStore>> steps = new ArrayDeque<>();
    private final TopologyTestDriver driver;
    private final TestInputTopic<byte[], byte[]> input;
    private final TestOutputTopic<byte[], byte[]> changelog;

    BandStoreBench(int bands, int bucketMax) {
        Topology topology = new Topology();
        topology.addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), "steps");
        topology.addProcessor("processor", Step::new, "source");
        topology.addStateStore(
                new BandStoreBuilder(STORE, new Partitions(1, bands), bucketMax).withLoggingEnabled(Map.of()),
                "processor");
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "bench");
        driver = new TopologyTestDriver(topology, settings);
        input = driver.createInputTopic("steps", new ByteArraySerializer(), new ByteArraySerializer());
        changelog = driver.createOutputTopic(
                "bench-" + STORE + "-changelog", new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private final class Step extends ContextualProcessor<byte[], byte[], byte[], byte[]> {
        @Override
        public void process(Record<byte[], byte[]> record) {
            BandStore store = context().getStateStore(STORE);
            steps.remove().accept(store);
        }
    }

    void step(Consumer<BandStore> step) {
        steps.add(step);
        input.pipeInput(NOTHING, NOTHING);
    }

    /** What was written to the changelog since the last call. */
    List<TestRecord<byte[], byte[]>> changelog() {
        return changelog.readRecordsToList();
    }

    @Override
    public List<Candidate> candidates(Ref document, BandKeys keys, int max) {
        List<Candidate> found = new ArrayList<>();
        step(store -> found.addAll(store.candidates(document, keys, max)));
        return found;
    }

    @Override
    public void insert(Ref document, BandKeys keys) {
        step(store -> store.insert(document, keys));
    }

    @Override
    public void remove(Ref document, BandKeys keys) {
        step(store -> store.remove(document, keys));
    }

    @Override
    public void endStep() {
        step(BandStore::endStep);
    }

    @Override
    public void close() {
        driver.close();
    }
}
