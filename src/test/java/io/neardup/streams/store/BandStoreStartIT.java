package io.neardup.streams.store;

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
import io.neardup.streams.topology.SmallStreams;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** How the buckets come back at a start of Kafka Streams, which opens what it finds once before it hands out tasks. */
class BandStoreStartIT {
    @RegisterExtension
    static final SharedBroker BROKER = new SharedBroker();

    private final AtomicLong documents = new AtomicLong();

    /** Indexes each record as a document. */
    private final class Indexing extends ContextualProcessor<byte[], byte[], byte[], byte[]> {
        @Override
        public void process(Record<byte[], byte[]> record) {
            BandStore store = context().getStateStore(NodeNames.BUCKETS);
            store.insert(new DocumentRef(0, store.documents()), BandKeys.of(new long[] {1, 2}));
            store.writeChanges();
            documents.set(store.documents());
        }
    }

    @Test
    void shouldReadItsFileOnce(@TempDir Path folder) throws Exception {
        String name = "start-" + folder.getFileName();
        Records.createTopic(BROKER.bootstrapServers(), name + "-in", 1);
        takeOne(name, folder, 1);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        Logger log = (Logger) LoggerFactory.getLogger(BandStore.class);
        log.addAppender(logged);
        log.setLevel(Level.INFO);
        try {
            takeOne(name, folder, 2);
        } finally {
            log.setLevel(null);
            log.detachAppender(logged);
        }

        assertThat(logged.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(message -> message.startsWith("read buckets"))
                .singleElement()
                .asString()
                .endsWith("documents=1");
    }

    private void takeOne(String name, Path folder, long documentsThen) {
        Topology topology = new Topology();
        topology.addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), name + "-in");
        topology.addProcessor("processor", Indexing::new, "source");
        topology.addStateStore(
                BandStore.builder(
                        NodeNames.BUCKETS,
                        new Partitions(1, 2),
                        10,
                        TopicPartition::toString,
                        new DiskFailures(),
                        () -> 0),
                "processor");
        try (KafkaStreams streams = SmallStreams.of(topology, BROKER.bootstrapServers(), name, folder, Map.of())) {
            streams.start();
            Records.commit(BROKER.bootstrapServers(), name + "-in", List.of("document"));
            await("the document").atMost(Duration.ofMinutes(2)).until(() -> documents.get() == documentsThen);
            // Else the next one waits until this one is taken for dead.
            streams.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        }
    }
}
