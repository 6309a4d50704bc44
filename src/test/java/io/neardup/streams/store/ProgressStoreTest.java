package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.streams.topology.PreCommitHook;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProgressStoreTest {
    private static final byte[] NOTHING = {};
    private static final byte[] ONE = {1};
    private static final byte[] TWO = {2};

    private final Deque<Consumer<ProgressStore>> steps = new ArrayDeque<>();
    private final TopologyTestDriver driver;

    ProgressStoreTest() {
        Topology topology = new Topology();
        topology.addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), "steps");
        topology.addProcessor("processor", Step::new, "source");
        topology.addStateStore(ProgressStore.builder(NodeNames.PROGRESS).withLoggingEnabled(Map.of()), "processor");
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "harness");
        driver = new TopologyTestDriver(topology, settings);
    }

    /** Does each step with a record, which the driver commits. */
    private final class Step implements Processor<byte[], byte[], byte[], byte[]> {
        private ProgressStore store;
        private Runnable leaving;

        @SuppressWarnings("NullAway.Init")
        Step() {}

        @Override
        public void init(ProcessorContext<byte[], byte[]> context) {
            store = context.getStateStore(NodeNames.PROGRESS);
            leaving = PreCommitHook.of(context, store::writeChanges);
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

    @AfterEach
    void close() {
        driver.close();
    }

    private void step(Consumer<ProgressStore> step) {
        steps.add(step);
        driver.createInputTopic("steps", new ByteArraySerializer(), new ByteArraySerializer())
                .pipeInput(NOTHING, NOTHING);
    }

    private List<TestRecord<byte[], byte[]>> changelog() {
        return driver.createOutputTopic(
                        "harness-progress-changelog", new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readRecordsToList();
    }

    @Test
    void shouldWriteWhatATransactionHasChangedOnce() {
        step(store -> {
            store.put(StateKeys.position("a"), ONE);
            store.put(StateKeys.position("a"), TWO);
            store.put(StateKeys.block(0), ONE);
            store.delete(StateKeys.block(0));
        });

        assertThat(changelog()).singleElement().satisfies(record -> {
            assertThat(record.key()).isEqualTo(StateKeys.position("a").get());
            assertThat(record.value()).isEqualTo(TWO);
        });
    }

    @Test
    void shouldWriteTheDecisionsOf256DocumentsAsOneRecord() {
        step(store -> {
            for (int sequence = 0; sequence < 512; sequence++) {
                store.put(StateKeys.decision(sequence), ONE);
            }
        });
        assertThat(changelog()).hasSize(2);

        step(store -> store.delete(StateKeys.decision(300)));
        assertThat(changelog()).singleElement().satisfies(record -> assertThat(record.value())
                .isNotNull());
    }

    @Test
    void shouldTakeOutWhatIsGone() {
        step(store -> store.put(StateKeys.decision(7), ONE));
        step(store -> store.delete(StateKeys.decision(7)));
        step(store -> store.delete(StateKeys.decision(7)));

        List<TestRecord<byte[], byte[]>> records = changelog();
        assertThat(records).hasSize(2);
        assertThat(records.get(1).key()).isEqualTo(records.get(0).key());
        assertThat(records.get(1).value()).isNull();
    }

    @Test
    void shouldBeRestoredAsItWasAfterEachTransaction() {
        Random random = new Random(3);
        ProgressStore restored = new ProgressStore("restored");
        for (int transaction = 0; transaction < 300; transaction++) {
            List<Map<Bytes, byte[]>> after = new ArrayList<>();
            step(store -> {
                for (int more = random.nextInt(20); more > 0; more--) {
                    Bytes key = random.nextInt(4) > 0
                            ? StateKeys.decision(random.nextInt(1_000))
                            : StateKeys.block(random.nextInt(3) * 1_024L);
                    if (random.nextBoolean()) {
                        store.put(key, new byte[] {(byte) random.nextInt()});
                    } else {
                        store.delete(key);
                    }
                }
                after.add(store.all());
            });
            changelog().forEach(record -> restored.restore(record.key(), record.value()));

            assertThat(comparable(restored.all())).isEqualTo(comparable(after.get(0)));
        }
        assertThat(restored.all()).hasSizeGreaterThan(100);
    }

    private static Map<Bytes, Bytes> comparable(Map<Bytes, byte[]> entries) {
        Map<Bytes, Bytes> comparable = new HashMap<>();
        entries.forEach((key, value) -> comparable.put(key, Bytes.wrap(value)));
        return comparable;
    }

    @Test
    void shouldNotGatherMoreThanItsBound() {
        step(store -> {
            for (int topic = 0; topic < 1_024; topic++) {
                store.put(StateKeys.position("t" + topic), ONE);
            }
            for (int topic = 0; topic < 1_024; topic++) {
                store.delete(StateKeys.position("t" + topic));
            }
        });
        assertThat(changelog()).describedAs("written before they were gone").hasSize(2_048);
    }
}
