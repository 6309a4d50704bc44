package io.neardup.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.protocol.Decision;
import io.neardup.library.Deduplicator;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.RawText;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application decides in memory is what the service decides. */
class DeduplicatorTest extends TopologyTests {
    private static final int DOCUMENTS = 200;
    /** So many ids there are: then some are versions of others. */
    private static final int IDS = 150;

    /** With retention the documents come a minute apart, so that most expire. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "neardup.similarity.threshold=0.7",
                "neardup.signature=simhash",
                "neardup.similarity.verify=estimate",
                "neardup.versions=replace",
                "neardup.bucket.max=1",
                "neardup.scope=/scope",
                "neardup.retention=1h",
                "neardup.retention=1h,refreshed",
            })
    void shouldDecideAsTheServiceDoes(String setting) throws Exception {
        List<String> pairs = new ArrayList<>(List.of(setting, "neardup.outputs=verdicts"));
        TopologyHarness running = start(pairs.toArray(String[]::new));
        pairs.addAll(List.of("neardup.bands.partitions=1", "neardup.hash.seed=" + TopologyHarness.HASH_SEED));
        NeardupConfig config = NeardupConfig.of(new Settings().pairs(pairs));
        Deduplicator deduplicator = new Deduplicator(config);
        DocumentReader reader = config.documentReaders().get();
        List<String> decided = new ArrayList<>();
        List<News> news = NewsFeed.generate(DOCUMENTS, 7);
        for (int i = 0; i < DOCUMENTS; i++) {
            long timestamp = TopologyHarness.NOW - TimeUnit.MINUTES.toMillis(DOCUMENTS - i);
            byte[] json = json("id-" + i * 7 % IDS, news.get(i).text(), i % 2);
            running.arrive(TopologyHarness.record(null, json, timestamp));
            Document document =
                    (Document) reader.read(new InputRecord("documents", 0, i, timestamp, null, json, List.of()));
            decided.add(told(document.id(), deduplicator.add(document, timestamp)));
        }

        List<String> byService = new ArrayList<>();
        running.verdicts().forEach(verdict -> {
            var repeated = verdict.repeated();
            var nearest = verdict.nearest();
            byService.add(verdict.id() + " "
                    + (repeated == null
                            ? "unique " + (nearest == null ? "" : nearest.place() + nearest.similarity())
                            : repeated.place() + " " + repeated.similarity().value())
                    + (verdict.bounds().isEmpty() ? "" : " bounded"));
        });
        assertThat(decided).isEqualTo(byService);
        assertThat(deduplicator.originals()).isBetween(1, DOCUMENTS - 1);
        assertThat(decided).filteredOn(told -> !told.contains("unique")).hasSizeGreaterThan(5);
    }

    private static byte[] json(String id, String text, int scope) {
        return "{\"id\":\"%s\",\"text\":\"%s\",\"scope\":\"%d\"}"
                .formatted(id, text, scope)
                .getBytes(UTF_8);
    }

    private static String told(String id, Decision decision) {
        if (decision instanceof Decision.Duplicate duplicate) {
            return id + " " + duplicate.provenance().place() + " "
                    + duplicate.similarity().value();
        }
        Decision.Unique unique = (Decision.Unique) decision;
        var nearest = unique.nearestBelow();
        return id + " unique "
                + (nearest == null
                        ? ""
                        : nearest.provenance().place() + nearest.similarity().value())
                + (unique.bounds().isEmpty() ? "" : " bounded");
    }

    @Test
    void shouldRefuseTheSeedOfAnIndexThatItCannotAsk() {
        NeardupConfig config = NeardupConfig.of(new Settings().pairs(List.of("neardup.hash.seed=of:live")));

        assertThatThrownBy(() -> new Deduplicator(config)).hasMessageContaining("that of the index live");
    }

    @Test
    void shouldRefuseATextWithNothingToCompare() {
        Deduplicator deduplicator = new Deduplicator(NeardupConfig.of(new Settings()));

        assertThatThrownBy(() -> deduplicator.add(new Document("a", RawText.of(" \u00a0\n"), ""), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("text: expected more than white space");
        assertThat(deduplicator.originals()).isZero();
    }
}
