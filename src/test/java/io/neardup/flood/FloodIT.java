package io.neardup.flood;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.OperatingSystemMXBean;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.World;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Who knows the seed of the hashes can make unlike documents meet in one bucket, or in all; that must not stop the
 * service.
 */
class FloodIT {
    private static final long SEED = 42;
    private static final int DOCUMENTS = Integer.getInteger("flood.documents", 100_000);
    private static final int PORTION = 5_000;
    private static final int BUCKET_MAX = 1_000;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int BANDS = 26;
    private static final int ROWS = 5;
    private static final int WITH_ONE_SKETCH = 600;
    private static final int RETURNED_MIN = 20;
    private static final int COMPARED_MAX = 5;
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    @RegisterExtension
    static final World WORLD = new World();

    private static DedupService start(String... settings) throws Exception {
        WORLD.createTopics(1);
        return WORLD.start(settings);
    }

    private static List<News> news(CraftedTexts texts, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> new News("c" + i, texts.apply(i)))
                .toList();
    }

    @Tag("slow")
    @Test
    void shouldKeepHalfOfTheRateWhenAllDocumentsMeetInOneBucket() throws Exception {
        CraftedTexts unlike = new CraftedTexts(SEED, 9, BitSketch.VALUES_MIN, 0);
        CraftedTexts crafted = new CraftedTexts(SEED, 9, BitSketch.VALUES_MIN, ROWS);
        DedupService service = start(
                "neardup.hash.seed=" + SEED,
                "neardup.bucket.max=" + BUCKET_MAX,
                "neardup.banding=" + BANDS + "x" + ROWS);
        microsPerDocument(unlike, -DOCUMENTS, DOCUMENTS / 2);

        double usual = microsPerDocument(unlike, 0, DOCUMENTS);
        long refusedUsual = service.counts().values(ServiceMetric.BUCKETS_FULL).sum();
        double flooded = microsPerDocument(crafted, DOCUMENTS, DOCUMENTS);
        long refusedFlooded =
                service.counts().values(ServiceMetric.BUCKETS_FULL).sum();

        System.out.printf(
                "us of CPU a document, broker, feed and reader with it: %.0f, flooded %.0f%n", usual, flooded);
        assertThat(flooded).isLessThan(2 * usual);
        // They meet as is meant; the metric may lag a portion behind.
        assertThat(refusedUsual).isZero();
        assertThat(refusedFlooded).isGreaterThan(DOCUMENTS * 9L / 10 - BUCKET_MAX - PORTION);
        await().atMost(PATIENCE).until(service::isRunning);
    }

    /** All of them are unique. */
    private static double microsPerDocument(CraftedTexts texts, int from, int count) throws Exception {
        Outputs outputs = WORLD.outputs();
        long nanos = 0;
        for (int done = 0; done < count; done += PORTION) {
            List<News> portion = news(texts, from + done, from + Math.min(count, done + PORTION));
            long before = SYSTEM.getProcessCpuTime();
            WORLD.feed(portion);
            outputs.await(portion.size(), PATIENCE);
            nanos += SYSTEM.getProcessCpuTime() - before;
            assertThat(outputs.of(Outputs.UNIQUE).size()).isEqualTo(portion.size());
            outputs.forget();
        }
        return nanos / 1_000.0 / count;
    }

    /** Sketches tell nothing where all are equal, but few documents are compared all the same. */
    @Test
    void shouldCompareADocumentWithFewOfThoseThatHaveItsSketch() throws Exception {
        CraftedTexts texts = new CraftedTexts(SEED, 9, BitSketch.VALUES_MIN, BitSketch.VALUES_MIN);
        DedupService service = start("neardup.hash.seed=" + SEED);

        WORLD.feed(news(texts, 0, WITH_ONE_SKETCH));
        WORLD.outputs().await(WITH_ONE_SKETCH, PATIENCE);

        assertThat(WORLD.outputs().of(Outputs.UNIQUE).size()).isEqualTo(WITH_ONE_SKETCH);
        // What a reader sees is committed a moment before it counts.
        await().atMost(PATIENCE)
                .until(() -> service.counts().sum(ServiceMetric.DOCUMENTS, "unique") == WITH_ONE_SKETCH);
        // They meet as is meant.
        assertThat(sum(service, ServiceMetric.CANDIDATES)).isGreaterThan((double) RETURNED_MIN * WITH_ONE_SKETCH);
        assertThat(sum(service, ServiceMetric.VERIFICATIONS)).isBetween(1.0, (double) COMPARED_MAX * WITH_ONE_SKETCH);
        await().atMost(PATIENCE).until(service::isRunning);
    }

    private static double sum(DedupService service, ServiceMetric ofDocuments) {
        return service.counts().histogram(ofDocuments).snapshot().sum();
    }
}
