package io.neardup.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Partitions;
import io.neardup.streams.metrics.DiskFailures;
import io.neardup.streams.store.BandStore;
import io.neardup.streams.store.CommitListeners;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.ProgressStore;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What Kafka Streams commits, and what it leaves on the disk, where it cannot go on in the middle of something. */
class WholeStepsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final List<String> FIRST_AND_SECOND = List.of("to-first", "to-second");
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
        private final Runnable counting = this::count;
        private Runnable leaving;
        private boolean hasGathered;
        private ProcessorContext<byte[], byte[]> context;
        private CommitListeners commits;
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
            commits = CommitListeners.after();
            commits.add(counting);
            hasGathered = false;
            leaving = PreCommitHook.of(context, this::leave);
            CommitListeners.before().add(leaving);
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
            commits.remove(counting);
            CommitListeners.before().remove(leaving);
            chore.cancel();
        }
    }

    /** A forward by a partitioner to a topic that the cluster does not know (yet) is a forward that is not answered. */
    @Test
    void shouldCommitNoHalfOfAPunctuationThatTimesOut() throws Exception {
        assertForwardsAllOrNothing(Optional.of(TO_FIRST), false, FIRST_AND_SECOND);
    }

    @Test
    void shouldCommitNoHalfOfWhatHasGathered() throws Exception {
        assertForwardsAllOrNothing(Optional.of(TO_FIRST), true, FIRST_AND_SECOND);
    }

    @Test
    void shouldGoOnAfterASendOfWhatHasGatheredTimesOut() throws Exception {
        assertForwardsAllOrNothing(Optional.empty(), true, FIRST_AND_SECOND);
    }

    /** Without a partitioner it is the sending that fails, of which the producer tells only afterwards. */
    @Test
    void shouldGoOnAfterASendThatTimesOut() throws Exception {
        assertForwardsAllOrNothing(Optional.empty(), false, FIRST_AND_SECOND);
    }

    @Test
    void shouldGoOnAfterTheFirstOfTwoSendsTimesOut() throws Exception {
        assertForwardsAllOrNothing(Optional.empty(), false, List.of("to-second", "to-first"));
    }

    private void assertForwardsAllOrNothing(
            Optional<StreamPartitioner<byte[], byte[]>> toSecond, boolean gathers, List<String> sinks)
            throws Exception {
        String first = "first-of-" + folder.getFileName();
        String second = "second-of-" + folder.getFileName();
        Records.createTopic(BROKER.bootstrapServers(), first, 1);
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger counted = new AtomicInteger();
        Topology topology = new Topology();
        topology.addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), input);
        topology.addProcessor("processor", () -> new TwoForwards(begun, counted, gathers, sinks), "source");
        topology.addStateStore(ProgressStore.builder(NodeNames.PROGRESS), "processor");
        topology.addSink(
                "to-first", first, new ByteArraySerializer(), new ByteArraySerializer(), TO_FIRST, "processor");
        topology.addSink(
                "to-second",
                second,
                new ByteArraySerializer(),
                new ByteArraySerializer(),
                toSecond.orElse(null),
                "processor");
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

    /** Indexes each record as a document. */
    private static final class Indexing extends ContextualProcessor<byte[], byte[], byte[], byte[]> {
        private final AtomicInteger indexed;
        private final AtomicReference<BandStore> used;

        Indexing(AtomicInteger indexed, AtomicReference<BandStore> used) {
            this.indexed = indexed;
            this.used = used;
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            BandStore store = context().getStateStore(NodeNames.BUCKETS);
            used.set(store);
            store.insert(new DocumentRef(0, indexed.get()), BandKeys.of(new long[] {1, 2}));
            store.writeChanges();
            indexed.incrementAndGet();
        }
    }

    /** Closed behind the buckets, before Streams deletes their folder: takes what a process that dies there leaves. */
    private static final class LastWitness implements StateStore, StoreBuilder<StateStore> {
        private final Path left;
        private final AtomicReference<BandStore> watched;
        private Path taskFolder;
        private boolean open;

        @SuppressWarnings("NullAway.Init")
        LastWitness(Path left, AtomicReference<BandStore> watched) {
            this.left = left;
            this.watched = watched;
        }

        @Override
        public void init(StateStoreContext context, StateStore root) {
            taskFolder = context.stateDir().toPath();
            open = true;
            context.register(root, (key, value) -> {});
        }

        @Override
        public void close() {
            open = false;
            BandStore buckets = watched.get();
            if (buckets == null) {
                return; // Streams opens what it finds once before it starts.
            }
            try {
                Path snapshot = taskFolder.resolve(NodeNames.BUCKETS + ".snapshot");
                if (!buckets.isOpen() && Files.exists(snapshot)) {
                    Files.copy(snapshot, left);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void commit(Map<TopicPartition, Long> changelogOffsets) {}

        @Override
        public boolean persistent() {
            return false;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public StateStore build() {
            return this;
        }

        @Override
        public String name() {
            return "after";
        }

        @Override
        public StoreBuilder<StateStore> withCachingEnabled() {
            return this;
        }

        @Override
        public StoreBuilder<StateStore> withCachingDisabled() {
            return this;
        }

        @Override
        public StoreBuilder<StateStore> withLoggingEnabled(Map<String, String> settings) {
            return this;
        }

        @Override
        public StoreBuilder<StateStore> withLoggingDisabled() {
            return this;
        }

        @Override
        public Map<String, String> logConfig() {
            return Map.of();
        }

        @Override
        public boolean loggingEnabled() {
            return false;
        }
    }

    private Topology indexing(AtomicInteger indexed, Path left) {
        AtomicReference<BandStore> used = new AtomicReference<>();
        Topology topology = new Topology();
        topology.addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), input);
        topology.addProcessor("processor", () -> new Indexing(indexed, used), "source");
        topology.addStateStore(
                BandStore.builder(
                        NodeNames.BUCKETS,
                        new Partitions(1, 2),
                        10,
                        TopicPartition::toString,
                        new DiskFailures(),
                        () -> 0),
                "processor");
        topology.addStateStore(new LastWitness(left, used), "processor");
        return topology;
    }

    @Test
    void shouldLeaveASnapshotOfWhatWasCommitted() throws Exception {
        Path left = folder.resolve("left");
        AtomicInteger indexed = new AtomicInteger();
        try (KafkaStreams streams = streams(indexing(indexed, left), Map.of())) {
            streams.start();
            Records.commit(BROKER.bootstrapServers(), input, List.of("document"));
            await("the document").atMost(PATIENCE).until(() -> indexed.get() == 1);
        }
        assertThat(left).exists();
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
    void shouldLeaveNoSnapshotOfWhatWasNot() throws Exception {
        Path left = folder.resolve("left");
        AtomicInteger indexed = new AtomicInteger();
        Map<String, Object> fenced = Map.of(
                StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
                600_000,
                StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG),
                700_000,
                StreamsConfig.producerPrefix(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG),
                List.of(FencesWhenWritten.class));
        try (KafkaStreams streams = streams(indexing(indexed, left), fenced)) {
            streams.start();
            Records.commit(BROKER.bootstrapServers(), input, List.of("document"));
            await("the document").atMost(PATIENCE).until(() -> indexed.get() == 1);
        }
        assertThat(FENCED).hasValue(1);
        assertThat(left).doesNotExist();
    }

    private String applicationId() {
        return "whole-" + folder.getFileName();
    }
}
