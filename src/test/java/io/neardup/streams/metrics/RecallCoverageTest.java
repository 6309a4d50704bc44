package io.neardup.streams.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.config.Signing;
import io.neardup.config.Signing.DocumentSigner;
import io.neardup.engine.protocol.Decision;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.library.Deduplicator;
import io.neardup.record.Document;
import io.neardup.record.RawText;
import io.neardup.streams.metrics.RecallEstimate.Estimate;
import io.neardup.testing.SimilarTexts;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What the estimate says of recall, beside the recall itself: news are signed, looked up, verified and decided by the
 * protocol under one hash seed after the other, and an exact join tells what each of them missed.
 */
class RecallCoverageTest {
    private static final Path NEWS = Path.of("../shared/data/reuters21578.jsonl.gz");
    private static final int SEEDS = 100;

    /**
     * Documents with what is alike of them.
     *
     * @param before of each document those before it that are similar
     * @param alike documents that have similar ones: no other is found or missed under any seed
     */
    private record Corpus(List<Document> documents, Map<Integer, List<Integer>> before, SortedSet<Integer> alike) {
        static Corpus of(List<Document> documents) throws UnsignableException {
            List<String> normalized = new ArrayList<>();
            DocumentSigner signer =
                    Signing.of(NeardupConfig.of(new Settings()), 1).signer();
            for (Document document : documents) {
                normalized.add(new String(signer.sign(document).evidence().bytes(), UTF_8));
            }
            Corpus corpus = new Corpus(documents, new HashMap<>(), new TreeSet<>());
            for (SimilarTexts.Pair pair : new SimilarTexts(normalized, 9).pairs(0.7)) {
                corpus.before
                        .computeIfAbsent(pair.later(), unused -> new ArrayList<>())
                        .add(pair.first());
                corpus.alike.addAll(List.of(pair.first(), pair.later()));
            }
            return corpus;
        }
    }

    private static Document document(String id, String text) {
        return new Document(id, RawText.of(text), "");
    }

    private static Corpus news() throws Exception {
        ObjectMapper json = new ObjectMapper();
        List<Document> read = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(new GZIPInputStream(Files.newInputStream(NEWS)), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode one = json.readTree(line);
                String text = one.get("text").asText();
                if (!text.isBlank()) {
                    read.add(document(one.get("id").asText(), text));
                }
            }
        }
        return Corpus.of(read);
    }

    /** Of each template many, of which two are just below the threshold or just above. */
    private static Corpus templates() throws UnsignableException {
        Random random = new Random(1);
        List<Document> drawn = new ArrayList<>();
        List<List<String>> templates =
                Stream.generate(() -> words(random, 200)).limit(20).toList();
        for (int i = 0; i < 1_000; i++) {
            List<String> text = new ArrayList<>(templates.get(random.nextInt(templates.size())));
            for (int edits = 5 + random.nextInt(7); edits > 0; edits--) {
                text.set(random.nextInt(text.size()), words(random, 1).get(0));
            }
            drawn.add(document("d" + i, String.join(" ", text)));
        }
        return Corpus.of(drawn);
    }

    private static List<String> words(Random random, int count) {
        return random.ints(count, 100_000, 1_000_000)
                .mapToObj(Integer::toString)
                .toList();
    }

    @EnabledIfSystemProperty(named = "thorough", matches = "true")
    @Test
    void shouldHoldTheRecallOfNewsInNineOfTenIndexes() throws Exception {
        assumeTrue(Files.exists(NEWS), "needs " + NEWS);
        Corpus news = news();
        for (double recall : new double[] {0.99, 0.95, 0.8}) {
            int held = 0;
            DoubleSummaryStatistics exact = new DoubleSummaryStatistics();
            DoubleSummaryStatistics width = new DoubleSummaryStatistics();
            for (int seed = 1; seed <= SEEDS; seed++) {
                Index index = new Index(news, "neardup.recall=" + recall, seed).takeAll(news.alike);
                held += index.isHeld() ? 1 : 0;
                exact.accept(index.exact());
                width.accept(index.estimate().high() - index.estimate().low());
                System.out.printf("recall=%s seed=%d held=%s %s%n", recall, seed, index.isHeld(), index);
            }
            System.out.printf("recall=%s held=%d of %d exact: %s width: %s%n", recall, held, SEEDS, exact, width);

            assertThat(held).as("at %s", recall).isGreaterThanOrEqualTo(SEEDS * 90 / 100);
        }
    }

    /** What a bound misses is no question of chance, and the interval knows nothing of it: the marks tell. */
    @Test
    void shouldShowABoundThatIsTooLowWithinAThousandDocuments() throws Exception {
        Corpus templates = templates();
        Index index = new Index(templates, "neardup.verified.max=1", 1).takeAll(templates.alike);

        assertThat(index.missedBounded).as("%s", index).isPositive();
        assertThat(index.isHeld()).as("%s", index).isTrue();
    }

    /** All of a corpus, decided one after the other. */
    private static final class Index {
        private final Corpus corpus;
        private final Signing signing;
        private final Deduplicator deduplicator;
        private final RecallEstimate recall = new RecallEstimate();
        private final BitSet unique = new BitSet();
        private int found;
        private int missed;
        private int bounded;
        private int missedBounded;

        Index(Corpus corpus, String setting, long seed) {
            this.corpus = corpus;
            long hashSeed = 0x9E3779B97F4A7C15L * seed;
            NeardupConfig config =
                    NeardupConfig.of(new Settings().pairs(List.of(setting, "neardup.hash.seed=" + hashSeed)));
            signing = Signing.of(config, hashSeed);
            deduplicator = new Deduplicator(config);
        }

        Index takeAll(Collection<Integer> documents) throws UnsignableException {
            for (int document : documents) {
                note(document, deduplicator.add(corpus.documents.get(document), document));
            }
            return this;
        }

        private void note(int document, Decision decision) {
            if (decision instanceof Decision.Duplicate duplicate) {
                found++;
                double chance = signing.sharing(duplicate.similarity().value());
                recall.add(duplicate.original().packed(), chance);
            } else {
                boolean isMissed =
                        corpus.before.getOrDefault(document, List.of()).stream().anyMatch(unique::get);
                unique.set(document);
                if (((Decision.Unique) decision).bounds().isEmpty()) {
                    missed += isMissed ? 1 : 0;
                } else {
                    bounded++;
                    missedBounded += isMissed ? 1 : 0;
                }
            }
        }

        /** Of the answers that met no bound. */
        double exact() {
            return found / (double) (found + missed);
        }

        Estimate estimate() {
            return recall.estimate().orElseThrow();
        }

        boolean isHeld() {
            return estimate().low() <= exact() && exact() <= estimate().high();
        }

        @Override
        public String toString() {
            return "exact=%.4f %s missed=%d bounded=%d missedBounded=%d"
                    .formatted(exact(), recall.estimate(), missed, bounded, missedBounded);
        }
    }
}
