package io.neardup.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Message;
import io.neardup.engine.protocol.Message.Lookup;
import io.neardup.engine.protocol.Partitions;
import io.neardup.streams.metrics.DiskFailures;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.store.BandStore;
import io.neardup.streams.store.Batch;
import io.neardup.streams.store.CommitListeners;
import io.neardup.streams.store.MessageCodec;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.ThreadTransaction;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorRecordContext;
import org.apache.kafka.streams.processor.internals.RecordCollector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BandProcessorTest {
    private static final TopicPartition CHANGELOG = new TopicPartition("test-buckets-changelog", 0);
    private static final BandKeys KEYS = BandKeys.owning(new long[] {11});

    private final AtomicLong nowMillis = new AtomicLong();

    /** Kafka Streams commits after each punctuation. */
    @Test
    void shouldPunctuateSeldomWhereNothingComesAndSaveAfterHours(@TempDir Path folder) throws IOException {
        MockProcessorContext<Routed, byte[]> context = context(Files.createDirectories(folder.resolve("0_0")));
        BandStore store = new BandStore(
                NodeNames.BUCKETS,
                new Partitions(1, 1),
                1_000,
                TopicPartition::toString,
                new DiskFailures(),
                nowMillis::get);
        store.init(storeContext(context), store);
        context.addStateStore(store);
        BandProcessor processor = new BandProcessor(new ServiceCounts());
        processor.init(context);
        ThreadTransaction transaction = TestTransactions.begin(CHANGELOG, 0);
        Batch<Message> batch = MessageCodec.batch();
        batch.add(new Lookup(new DocumentRef(0, 1), 1, KEYS));
        processor.process(new Record<>(new byte[0], batch.take(1 << 20), 0));
        CommitListeners.before().fire();
        TestTransactions.commit(transaction);

        assertThat(punctuations(context, Duration.ofHours(1))).isLessThan(12);
        nowMillis.addAndGet(Duration.ofHours(4).toMillis());
        assertThat(punctuations(context, Duration.ofMinutes(10))).isPositive();
        Path manifest = folder.resolve("buckets/0_0/manifest");
        await().until(() -> punctuations(context, Duration.ofSeconds(1)) >= 0 && Files.exists(manifest));
        assertThat(punctuations(context, Duration.ofHours(1))).isLessThan(12);

        processor.close();
        store.close();
    }

    private int punctuations(MockProcessorContext<Routed, byte[]> context, Duration time) {
        int count = 0;
        for (long end = nowMillis.get() + time.toMillis(); nowMillis.get() < end; ) {
            long now = nowMillis.addAndGet(1_000);
            for (CapturedPunctuator each : List.copyOf(context.scheduledPunctuators())) {
                if (!each.cancelled() && now % each.getInterval().toMillis() == 0) {
                    each.getPunctuator().punctuate(now);
                    count++;
                }
            }
        }
        return count;
    }

    private static MockProcessorContext<Routed, byte[]> context(Path folder) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        MockProcessorContext<Routed, byte[]> context =
                new MockProcessorContext<>(settings, new TaskId(0, 0), folder.toFile());
        context.setCurrentSystemTimeMs(0);
        return context;
    }

    /** Of a changelog that takes one record. */
    private static StateStoreContext storeContext(MockProcessorContext<Routed, byte[]> context) {
        StateStoreContext mock = context.getStateStoreContext();
        ClassLoader loader = BandProcessorTest.class.getClassLoader();
        Object collector = Proxy.newProxyInstance(
                loader, new Class<?>[] {RecordCollector.class}, (proxy, method, arguments) -> Map.of(CHANGELOG, 0L));
        return (StateStoreContext) Proxy.newProxyInstance(
                loader,
                new Class<?>[] {InternalProcessorContext.class, RecordCollector.Supplier.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "recordCollector" -> collector;
                    case "recordContext" -> new ProcessorRecordContext(0, 0, 0, "lookups", new RecordHeaders());
                    case "logChange" -> null;
                    default -> method.invoke(mock, arguments);
                });
    }
}
