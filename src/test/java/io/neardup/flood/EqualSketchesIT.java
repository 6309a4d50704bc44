package io.neardup.flood;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.engine.similarity.BitSketch;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.testing.CraftedTexts;
import io.neardup.testing.Feeder;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.tools.local.EmbeddedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Who knows the seed can make unlike documents with one sketch, which meet in every bucket. Sketches tell nothing
 * there, but few are compared all the same.
 */
class EqualSketchesIT {
    private static final int DOCUMENTS = 1_500;
    private static final int NAMED_MIN = 20;
    private static final int COMPARED_MAX = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Test
    void shouldCompareADocumentWithFewOfThoseThatHaveItsSketch(@TempDir Path folder) throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"))) {
            Records.createTopics(broker.bootstrapServers(), Outputs.WITH_INPUT, 1);
            CraftedTexts texts = new CraftedTexts(Floods.SEED, 9, BitSketch.VALUES_MIN, BitSketch.VALUES_MIN);
            try (DedupService service = DedupService.start(Floods.config(broker, folder.resolve("state")));
                    Outputs outputs = new Outputs(broker.bootstrapServers());
                    Feeder feeder = new Feeder(broker.bootstrapServers(), "documents", 1)) {
                feeder.feed(IntStream.range(0, DOCUMENTS)
                        .mapToObj(i -> new News("c" + i, texts.apply(i)))
                        .toList());
                outputs.await(DOCUMENTS, PATIENCE);

                assertThat(outputs.of(Outputs.UNIQUE).size()).isEqualTo(DOCUMENTS);
                await().atMost(PATIENCE).until(service::isRunning);
                // What a reader sees is committed a moment before it counts.
                await().atMost(PATIENCE)
                        .until(() -> service.counts().sum(ServiceMetric.DOCUMENTS, "unique") == DOCUMENTS);
                // They meet as is meant.
                assertThat(sum(service, ServiceMetric.CANDIDATES)).isGreaterThan((double) NAMED_MIN * DOCUMENTS);
                assertThat(sum(service, ServiceMetric.VERIFICATIONS)).isBetween(1.0, (double) COMPARED_MAX * DOCUMENTS);
            }
        }
    }

    private static double sum(DedupService service, ServiceMetric ofDocuments) {
        return service.counts().histogram(ofDocuments).snapshot().sum();
    }
}
