package io.neardup.streams.topology;

import static io.neardup.testing.World.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Message.Lookup;
import io.neardup.engine.protocol.Partitions;
import io.neardup.streams.metrics.DiskFailures;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.store.BandStore;
import io.neardup.streams.store.CommitListeners;
import io.neardup.streams.store.Encoded;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.ThreadTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BandProcessorTest {
    private static final TopicPartition CHANGELOG = new TopicPartition("test-buckets-changelog", 0);
    private static final BandKeys KEYS = BandKeys.owning(new long[] {11});

    private final AtomicLong nowMillis = new AtomicLong();

    /** Kafka Streams commits after each punctuation. */
    @Test
    void shouldPunctuateSeldomWhereNothingComesAndSaveAfterHours(@TempDir Path folder) throws IOException {
        MockProcessorContext<Routed, byte[]> context =
                CoordinatorProcessorHarness.context(0, Files.createDirectories(folder.resolve("0_0")));
        context.setCurrentSystemTimeMs(0);
        BandStore store = new BandStore(
                NodeNames.BUCKETS,
                new Partitions(1, 1),
                1_000,
                TopicPartition::toString,
                new DiskFailures(),
                nowMillis::get);
        CoordinatorProcessorHarness.add(store, context, Map.of(CHANGELOG, 0L));
        BandProcessor processor = new BandProcessor(new ServiceCounts());
        processor.init(context);
        ThreadTransaction transaction = TestTransactions.begin(CHANGELOG, 0);
        byte[] lookup = Encoded.batch(List.of(new Lookup(new DocumentRef(0, 1), 1, KEYS)));
        processor.process(new Record<>(new byte[0], lookup, 0));
        CommitListeners.before().fire();
        TestTransactions.commit(transaction);

        assertThat(punctuations(context, Duration.ofHours(1))).isLessThan(12);
        nowMillis.addAndGet(Duration.ofHours(4).toMillis());
        assertThat(punctuations(context, Duration.ofMinutes(10))).isPositive();
        Path manifest = folder.resolve("buckets/0_0/manifest");
        await().atMost(PATIENCE)
                .until(() -> punctuations(context, Duration.ofSeconds(1)) >= 0 && Files.exists(manifest));
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
}
