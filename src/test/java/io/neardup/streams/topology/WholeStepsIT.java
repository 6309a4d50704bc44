package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Partitions;
import io.neardup.streams.metrics.DiskFailures;
import io.neardup.streams.store.BandStore;
import io.neardup.streams.store.CommitListeners;
import io.neardup.streams.store.LoggedStore;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.ProgressStore;
import io.neardup.streams.store.StateKeys;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** What Kafka Streams commits, and what it leaves on the disk, where it cannot go on in the middle of something. */
class WholeStepsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final StreamPartitioner<byte[], byte[]> TO_FIRST =
            (topic, key, value, partitions) -> Optional.of(Set.of(0));

    @RegisterExtension
    static final SharedBroker BROKER = new SharedBroker();

    @TempDir
    private Path folder;

    private String input;

    @BeforeEach
    void createInput() throws Exception {
        input = "input-of-" + folder.getFileName();
        Records.createTopic(BROKER.bootstrapServers(), input, 1);
    }

    private KafkaStreams streams(Topology topology, Map<String, Object> more) {
        return SmallStreams.of(topology, BROKER.bootstrapServers(), applicationId(), folder.resolve("state"), more);
    }

    /**
     * Forwards to two topics in one punctuation, or before the commit that follows it, once, until that has gone well.
     * Counts it when it is committed.
     */
    private static final class TwoForwards implements Processor<byte[], byte[], byte[], byte[]> {
        private final AtomicInteger begun;
        private final AtomicInteger counted;
        private final boolean gathers;
        private final List<String> sinks;
        private Runnable stopCounting;
        private Runnable stopLeaving;
        private boolean hasGathered;
        private ProcessorContext<byte[], byte[]> context;
        private ScheduledWork chore;
        private int steps;

        @SuppressWarnings("NullAway.Init")
        TwoForwards(AtomicInteger begun, AtomicInteger counted, boolean gathers, List<String> sinks) {
            this.begun = begun;
            this.counted = counted;
            this.gathers = gathers;
            this.sinks = sinks;
        }

        @Override
        public void init(ProcessorContext<byte[], byte[]> context) {
            this.context = context;
            steps = 0;
            stopCounting = CommitListeners.after().add(this::count);
            hasGathered = false;
            stopLeaving = CommitListeners.beforeEach(context, this::leave);
            chore = new ScheduledWork(context, Duration.ofMillis(10), this::work);
            chore.request();
        }

        private void count() {
            counted.addAndGet(steps);
            steps = 0;
        }

        private void work(long nowMillis) {
            hasGathered = true;
            if (!gathers) {
                leave();
            }
        }

        private void leave() {
            if (hasGathered) {
                forward(context.currentSystemTimeMs());
                hasGathered = false;
            }
        }

        private void forward(long nowMillis) {
            Record<byte[], byte[]> record =
                    new Record<>(new byte[] {1}, "step".getBytes(StandardCharsets.UTF_8), nowMillis);
            begun.incrementAndGet();
            steps++;
            sinks.forEach(sink -> context.forward(record, sink));
        }

        @Override
        public void process(Record<byte[], byte[]> record) {}

        @Override
        public void close() {
            stopCounting.run();
            stopLeaving.run();
            chore.cancel();
        }
    }

    /**
     * A forward by a partitioner to a topic that the cluster does not know (yet) is a forward that is not answered.
     * Without a partitioner it is the sending that fails, of which the producer tells only afterwards.
     */
    @ParameterizedTest
    @CsvSource({
        "true, false, to-first to-second",
        "true, true, to-first to-second",
        "false, true, to-first to-second",
        "false, false, to-first to-second",
        "false, false, to-second to-first"
    })
    void shouldForwardAllOrNothingWhereOneTimesOut(boolean byPartitioner, boolean gathers, String sinks)
            throws Exception {
        String first = "first-of-" + folder.getFileName();
        String second = "second-of-" + folder.getFileName();
        Records.createTopic(BROKER.bootstrapServers(), first, 1);
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger counted = new AtomicInteger();
        Topology topology = new Topology();
        topology.addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), input);
        topology.addProcessor(
                "processor", () -> new TwoForwards(begun, counted, gathers, List.of(sinks.split(" "))), "source");
        topology.addStateStore(
                LoggedStore.builderOf(NodeNames.PROGRESS, () -> new ProgressStore(NodeNames.PROGRESS)), "processor");
        addSink(topology, "to-first", first, TO_FIRST);
        addSink(topology, "to-second", second, byPartitioner ? TO_FIRST : null);
        try (KafkaStreams streams = streams(
                topology,
                Map.of(
                        StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
                        50,
                        StreamsConfig.producerPrefix(ProducerConfig.MAX_BLOCK_MS_CONFIG),
                        1_000))) {
            streams.start();
            await("a second try").atMost(PATIENCE).until(() -> begun.get() >= 2);
            Records.createTopic(BROKER.bootstrapServers(), second, 1);
            assertThat(Records.readCommitted(BROKER.bootstrapServers(), second, 1))
                    .containsExactly("step");
        }
        assertThat(counted).as("steps that count, of %s begun", begun).hasValue(1);
        assertThat(Records.readCommitted(BROKER.bootstrapServers(), first, 1)).containsExactly("step");
    }

    private static void addSink(
            Topology to, String name, String topic, @Nullable StreamPartitioner<byte[], byte[]> partitioner) {
        to.addSink(name, topic, new ByteArraySerializer(), new ByteArraySerializer(), partitioner, "processor");
    }

    /** Indexes each record as a document. */
    private static final class Indexing extends ContextualProcessor<byte[], byte[], byte[], byte[]> {
        private final AtomicInteger indexed;

        Indexing(AtomicInteger indexed) {
            this.indexed = indexed;
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            BandStore store = context().getStateStore(NodeNames.BUCKETS);
            store.insert(new DocumentRef(0, indexed.get()), BandKeys.owning(new long[] {1, 2}));
            store.writeChanges();
            indexed.incrementAndGet();
        }
    }

    private Topology indexing(AtomicInteger indexed) {
        Topology topology = new Topology();
        topology.addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), input);
        topology.addProcessor("processor", () -> new Indexing(indexed), "source");
        topology.addStateStore(
                LoggedStore.builderOf(
                        NodeNames.BUCKETS,
                        () -> new BandStore(
                                NodeNames.BUCKETS,
                                new Partitions(1, 2),
                                10,
                                TopicPartition::toString,
                                new DiskFailures(),
                                () -> 0)),
                "processor");
        return topology;
    }

    /** Runs until one more document is indexed, and leaves the group, so that the next one need not wait. */
    private void indexOne(AtomicInteger indexed, Map<String, Object> settings) {
        int before = indexed.get();
        try (KafkaStreams streams = streams(indexing(indexed), settings)) {
            streams.start();
            Records.commit(BROKER.bootstrapServers(), input, List.of("document"));
            await("the document").atMost(PATIENCE).until(() -> indexed.get() > before);
            streams.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        }
    }

    /** Beside the folder of the task, which Kafka Streams deletes where it cannot go on. */
    private Path manifest() {
        return folder.resolve("state")
                .resolve(applicationId())
                .resolve(NodeNames.BUCKETS)
                .resolve("0_0")
                .resolve("manifest");
    }

    /** Kafka Streams opens what it finds once before it hands out tasks. */
    @Test
    void shouldLeaveOnTheDiskWhatWasCommittedAndOpenItOnce() {
        AtomicInteger indexed = new AtomicInteger();
        indexOne(indexed, Map.of());
        assertThat(manifest()).exists();
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        Logger log = (Logger) LoggerFactory.getLogger(BandStore.class);
        log.addAppender(logged);
        log.setLevel(Level.INFO);
        try {
            indexOne(indexed, Map.of());
        } finally {
            log.setLevel(null);
            log.detachAppender(logged);
        }
        assertThat(logged.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(message -> message.startsWith("opened buckets"))
                .singleElement()
                .asString()
                .endsWith("documents=1");
    }

    /** Fences its own producer when the first record of the changelog is written: none of it is ever committed. */
    public static final class FencesWhenWritten implements ProducerInterceptor<byte[], byte[]> {
        private Map<String, Object> cluster = Map.of();
        private String transactionalId = "";
        private boolean hasFenced;

        @Override
        public void configure(Map<String, ?> settings) {
            cluster = Map.of("bootstrap.servers", settings.get("bootstrap.servers"));
            transactionalId = String.valueOf(settings.get("transactional.id"));
        }

        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> sent) {
            return sent;
        }

        @Override
        public void onAcknowledgement(RecordMetadata written, Exception failure) {
            if (failure == null && written.topic().endsWith("-changelog") && !hasFenced) {
                hasFenced = true;
                try (Admin admin = Admin.create(cluster)) {
                    admin.fenceProducers(List.of(transactionalId)).all().get();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                FENCED.incrementAndGet();
            }
        }

        @Override
        public void close() {}
    }

    private static final AtomicInteger FENCED = new AtomicInteger();

    @Test
    void shouldLeaveNothingOnTheDiskOfWhatWasNot() {
        Map<String, Object> fenced = Map.of(
                StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
                600_000,
                StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG),
                700_000,
                StreamsConfig.producerPrefix(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG),
                List.of(FencesWhenWritten.class));
        indexOne(new AtomicInteger(), fenced);
        assertThat(FENCED).hasValue(1);
        assertThat(manifest()).doesNotExist();
    }

    private String applicationId() {
        return "whole-" + folder.getFileName();
    }

    // ---- what has gathered where Kafka Streams gives up a task: closed dirty, then set up anew

    /** Gathers a message and a change of its state for each record; in its first life it is lost at the second one. */
    private static final class Gatherer extends ContextualProcessor<byte[], byte[], byte[], byte[]> {
        private final AtomicInteger lives;
        private final Queue<String> sent;
        private final List<String> gathered = new ArrayList<>();
        private ProgressStore store;
        private Runnable stopLeaving;
        private int life;

        @SuppressWarnings("NullAway.Init")
        Gatherer(AtomicInteger lives, Queue<String> sent) {
            this.lives = lives;
            this.sent = sent;
        }

        @Override
        public void init(ProcessorContext<byte[], byte[]> context) {
            super.init(context);
            life = lives.incrementAndGet();
            store = context.getStateStore(NodeNames.PROGRESS);
            stopLeaving = CommitListeners.beforeEach(context, this::leave);
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            String message = new String(record.value(), UTF_8) + life;
            if (message.equals("b1")) {
                throw new TaskMigratedException("lost");
            }
            gathered.add(message);
            store.put(StateKeys.position("input"), message.getBytes(UTF_8));
        }

        private void leave() {
            sent.addAll(gathered);
            gathered.forEach(message -> context().forward(new Record<>(null, message.getBytes(UTF_8), 0)));
            gathered.clear();
            store.writeChanges();
        }

        @Override
        public void close() {
            stopLeaving.run();
        }
    }

    /** Streams 4.3.1 has it sent when it closes the task, into the transaction that it gives up. */
    @Test
    void shouldCommitNothingThatHadGatheredInATaskThatIsLost() throws Exception {
        String name = "lost-" + folder.getFileName();
        Records.createTopics(BROKER.bootstrapServers(), List.of(name + "-in", name + "-out"), 1);
        Queue<String> sent = new ConcurrentLinkedQueue<>();
        try (KafkaStreams streams = gathering(name, new AtomicInteger(), sent)) {
            streams.start();
            Records.commit(BROKER.bootstrapServers(), name + "-in", List.of("a", "b", "c"));
            await("what had gathered before").atMost(PATIENCE).until(() -> sent.contains("c2"));
        }

        assertThat(sent).containsExactly("a1", "a2", "b2", "c2");
        assertThat(Records.readCommitted(BROKER.bootstrapServers(), name + "-out", 3))
                .containsExactly("a2", "b2", "c2");
        assertThat(Records.readCommitted(BROKER.bootstrapServers(), name + "-" + NodeNames.PROGRESS + "-changelog", 1))
                .containsExactly("c2");
    }

    private KafkaStreams gathering(String name, AtomicInteger lives, Queue<String> sent) {
        Topology topology = new Topology();
        topology.addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), name + "-in");
        topology.addProcessor("processor", () -> new Gatherer(lives, sent), "source");
        topology.addStateStore(
                LoggedStore.builderOf(NodeNames.PROGRESS, () -> new ProgressStore(NodeNames.PROGRESS)), "processor");
        topology.addSink("sink", name + "-out", new ByteArraySerializer(), new ByteArraySerializer(), "processor");
        // So that all three are in one transaction.
        Map<String, Object> slowly = Map.of(
                StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
                3_000,
                StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG),
                60_000);
        return SmallStreams.of(topology, BROKER.bootstrapServers(), name, folder, slowly);
    }
}
