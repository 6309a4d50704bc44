package io.neardup.flood;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.OperatingSystemMXBean;
import io.neardup.config.NeardupConfig;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.testing.CraftedTexts;
import io.neardup.testing.Feeder;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.tools.local.EmbeddedBroker;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who knows the seed can make unlike documents meet in one bucket; that must not stop the service. */
@Tag("slow")
class FloodIT {
    private static final int DOCUMENTS = Integer.getInteger("flood.documents", 100_000);
    private static final int PORTION = 5_000;
    private static final int BUCKET_MAX = 1_000;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int BANDS = 26;
    private static final int ROWS = 5;
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    @Test
    void shouldKeepHalfOfTheRateWhenAllDocumentsMeetInOneBucket(@TempDir Path folder) throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"))) {
            Records.createTopics(broker.bootstrapServers(), Outputs.WITH_INPUT, 1);
            NeardupConfig config = Floods.config(
                    broker,
                    folder.resolve("state"),
                    "neardup.bucket.max=" + BUCKET_MAX,
                    "neardup.banding=" + BANDS + "x" + ROWS);
            try (DedupService service = DedupService.start(config);
                    Outputs outputs = new Outputs(broker.bootstrapServers());
                    Feeder feeder = new Feeder(broker.bootstrapServers(), "documents", 1)) {
                CraftedTexts unlike = new CraftedTexts(Floods.SEED, 9, BitSketch.VALUES_MIN, 0);
                CraftedTexts crafted = new CraftedTexts(Floods.SEED, 9, BitSketch.VALUES_MIN, ROWS);
                microsPerDocument(feeder, outputs, unlike, -DOCUMENTS, DOCUMENTS / 2);

                double usual = microsPerDocument(feeder, outputs, unlike, 0, DOCUMENTS);
                long refusedUsual = service.counts().sum(ServiceMetric.BUCKETS_FULL);
                double flooded = microsPerDocument(feeder, outputs, crafted, DOCUMENTS, DOCUMENTS);
                long refusedFlooded = service.counts().sum(ServiceMetric.BUCKETS_FULL);

                System.out.printf(
                        "us of CPU a document, broker, feed and reader with it: %.0f, flooded %.0f%n", usual, flooded);
                await().atMost(PATIENCE).until(service::isRunning);
                assertThat(flooded).isLessThan(2 * usual);
                // They meet as is meant; the metric may lag a portion behind.
                assertThat(refusedUsual).isZero();
                assertThat(refusedFlooded).isGreaterThan(DOCUMENTS * 9L / 10 - BUCKET_MAX - PORTION);
            }
        }
    }

    /** All of them are unique. */
    private static double microsPerDocument(Feeder feeder, Outputs outputs, CraftedTexts texts, int from, int count)
            throws Exception {
        long nanos = 0;
        for (int done = 0; done < count; done += PORTION) {
            List<News> portion = IntStream.range(from + done, from + Math.min(count, done + PORTION))
                    .mapToObj(i -> new News("c" + i, texts.apply(i)))
                    .toList();
            long before = SYSTEM.getProcessCpuTime();
            feeder.feed(portion);
            outputs.await(portion.size(), PATIENCE);
            nanos += SYSTEM.getProcessCpuTime() - before;
            assertThat(outputs.of(Outputs.UNIQUE).size()).isEqualTo(portion.size());
            outputs.forget();
        }
        return nanos / 1_000.0 / count;
    }
}
