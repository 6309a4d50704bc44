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
import io.neardup.testing.SimilarTexts.Pair;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
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

    @EnabledIfSystemProperty(named = "thorough", matches = "true")
    @Test
    void shouldHoldTheRecallOfNewsInNineOfTenIndexes() throws Exception {
        assumeTrue(Files.exists(NEWS), "needs " + NEWS);
        Corpus news = news();
        for (double recall : new double[] {0.99, 0.95, 0.8}) {
            int held = 0;
            for (int seed = 1; seed <= SEEDS; seed++) {
                Decided index = news.decided("neardup.recall=" + recall, seed);
                held += index.isHeld() ? 1 : 0;
            }
            System.out.printf("recall=%s held=%d of %d%n", recall, held, SEEDS);

            assertThat(held).as("at %s", recall).isGreaterThanOrEqualTo(SEEDS * 90 / 100);
        }
    }

    /** What a bound misses is no question of chance, and the interval knows nothing of it: the marks tell. */
    @Test
    void shouldShowABoundThatIsTooLowWithinAThousandDocuments() throws Exception {
        Decided index = templates().decided("neardup.verified.max=1", 1);

        assertThat(index.missedBounded).as("%s", index).isPositive();
        assertThat(index.isHeld()).as("%s", index).isTrue();
    }

    private static Corpus news() throws IOException, UnsignableException {
        ObjectMapper json = new ObjectMapper();
        List<Document> read = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(new GZIPInputStream(Files.newInputStream(NEWS)), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode one = json.readTree(line);
                String text = one.get("text").asText();
                if (!text.isBlank()) {
                    read.add(new Document(one.get("id").asText(), RawText.of(text), ""));
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
            drawn.add(new Document("d" + i, RawText.of(String.join(" ", text)), ""));
        }
        return Corpus.of(drawn);
    }

    private static List<String> words(Random random, int count) {
        return random.ints(count, 100_000, 1_000_000)
                .mapToObj(Integer::toString)
                .toList();
    }

    /**
     * Documents with what is alike of them.
     *
     * @param similarBefore of each document those before it that are similar
     * @param alike documents that have similar ones: no other is found or missed under any seed
     */
    private record Corpus(
            List<Document> documents, Map<Integer, List<Integer>> similarBefore, SortedSet<Integer> alike) {
        static Corpus of(List<Document> documents) throws UnsignableException {
            List<String> normalized = new ArrayList<>();
            DocumentSigner signer =
                    Signing.of(NeardupConfig.of(new Settings()), 1).signer();
            for (Document document : documents) {
                normalized.add(new String(signer.sign(document).evidence().bytes(), UTF_8));
            }
            Set<Pair> pairs = new SimilarTexts(normalized, 9).pairs(0.7);
            return new Corpus(
                    documents,
                    pairs.stream()
                            .collect(Collectors.groupingBy(
                                    Pair::later, Collectors.mapping(Pair::first, Collectors.toList()))),
                    pairs.stream()
                            .flatMap(pair -> Stream.of(pair.first(), pair.later()))
                            .collect(Collectors.toCollection(TreeSet::new)));
        }

        /** All that are alike, decided one after the other. */
        Decided decided(String setting, int seed) throws UnsignableException {
            long hashSeed = 0x9E3779B97F4A7C15L * seed;
            NeardupConfig config =
                    NeardupConfig.of(new Settings().pairs(List.of(setting, "neardup.hash.seed=" + hashSeed)));
            Signing signing = Signing.of(config, hashSeed);
            Deduplicator deduplicator = new Deduplicator(config);
            RecallEstimate recall = new RecallEstimate();
            BitSet unique = new BitSet();
            int missed = 0;
            int missedBounded = 0;
            for (int document : alike) {
                Decision decision = deduplicator.add(documents.get(document), document);
                if (decision instanceof Decision.Duplicate duplicate) {
                    double chance = signing.sharing(duplicate.similarity().value());
                    recall.add(duplicate.original().packed(), chance);
                    continue;
                }
                boolean isMissed =
                        similarBefore.getOrDefault(document, List.of()).stream().anyMatch(unique::get);
                boolean isBounded = !((Decision.Unique) decision).bounds().isEmpty();
                missed += isMissed && !isBounded ? 1 : 0;
                missedBounded += isMissed && isBounded ? 1 : 0;
                unique.set(document);
            }
            return new Decided(recall.estimate().orElseThrow(), missed, missedBounded);
        }
    }

    /**
     * What became of documents, each duplicate one that was found.
     *
     * @param missed of the answers that met no bound
     * @param missedBounded of those that met one
     */
    private record Decided(Estimate estimate, int missed, int missedBounded) {
        boolean isHeld() {
            double exact = estimate.duplicates() / (double) (estimate.duplicates() + missed);
            return estimate.low() <= exact && exact <= estimate.high();
        }
    }
}
