package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.streams.store.CommitListeners;
import io.neardup.streams.store.LoggedStore;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.ProgressStore;
import io.neardup.streams.store.StateKeys;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of what has gathered where Kafka Streams gives up a task: closed dirty, then set up anew. */
class LostTaskIT {
    @RegisterExtension
    static final SharedBroker BROKER = new SharedBroker();

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
            stopLeaving = CommitListeners.before().add(PreCommitHook.of(context, this::leave));
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
    void shouldCommitNothingThatHadGatheredInATaskThatIsLost(@TempDir Path folder) throws Exception {
        String name = "lost-" + folder.getFileName();
        Records.createTopics(BROKER.bootstrapServers(), List.of(name + "-in", name + "-out"), 1);
        Queue<String> sent = new ConcurrentLinkedQueue<>();
        try (KafkaStreams streams = streams(name, folder, new AtomicInteger(), sent)) {
            streams.start();
            Records.commit(BROKER.bootstrapServers(), name + "-in", List.of("a", "b", "c"));
            await("what had gathered before").atMost(Duration.ofMinutes(2)).until(() -> sent.contains("c2"));
        }

        assertThat(sent).containsExactly("a1", "a2", "b2", "c2");
        assertThat(Records.readCommitted(BROKER.bootstrapServers(), name + "-out", 3))
                .containsExactly("a2", "b2", "c2");
        assertThat(Records.readCommitted(BROKER.bootstrapServers(), name + "-" + NodeNames.PROGRESS + "-changelog", 1))
                .containsExactly("c2");
    }

    private static KafkaStreams streams(String name, Path folder, AtomicInteger lives, Queue<String> sent) {
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
