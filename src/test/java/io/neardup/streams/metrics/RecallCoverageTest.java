package io.neardup.streams.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the estimate says of recall, beside the recall itself: documents are signed, looked up, verified and decided by
 * the protocol, and an exact join tells what was missed.
 */
class RecallCoverageTest {
    private static final long HASH_SEED = 0x9E3779B97F4A7C15L;

    /** What a bound misses is no question of chance, and the interval knows nothing of it: the marks tell. */
    @Test
    void shouldShowABoundThatIsTooLowWithinAThousandDocuments() throws Exception {
        NeardupConfig config = NeardupConfig.of(
                new Settings().pairs(List.of("neardup.verified.max=1", "neardup.hash.seed=" + HASH_SEED)));
        Signing signing = Signing.of(config, HASH_SEED);
        List<Document> documents = templates();
        Map<Integer, List<Integer>> similarBefore = similarBefore(documents, signing.signer());
        Deduplicator deduplicator = new Deduplicator(config);
        RecallEstimate recall = new RecallEstimate();
        BitSet unique = new BitSet();
        int missed = 0;
        int missedBounded = 0;
        for (int i = 0; i < documents.size(); i++) {
            Decision decision = deduplicator.add(documents.get(i), i);
            if (decision instanceof Decision.Duplicate duplicate) {
                double chance = signing.sharing(duplicate.similarity().value());
                recall.add(duplicate.original().packed(), chance);
                continue;
            }
            if (similarBefore.getOrDefault(i, List.of()).stream().anyMatch(unique::get)) {
                boolean isBounded = !((Decision.Unique) decision).bounds().isEmpty();
                missed += isBounded ? 0 : 1;
                missedBounded += isBounded ? 1 : 0;
            }
            unique.set(i);
        }

        Estimate estimate = recall.estimate().orElseThrow();
        double exact = estimate.duplicates() / (double) (estimate.duplicates() + missed);
        assertThat(missedBounded).isPositive();
        assertThat(exact).as("%s", estimate).isBetween(estimate.low(), estimate.high());
    }

    /** Of each template many, of which two are just below the threshold or just above. */
    private static List<Document> templates() {
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
        return drawn;
    }

    private static List<String> words(Random random, int count) {
        return random.ints(count, 100_000, 1_000_000)
                .mapToObj(Integer::toString)
                .toList();
    }

    /** Of each document those before it that are similar. */
    private static Map<Integer, List<Integer>> similarBefore(List<Document> documents, DocumentSigner signer)
            throws UnsignableException {
        List<String> normalized = new ArrayList<>();
        for (Document document : documents) {
            normalized.add(new String(signer.sign(document).evidence().bytes(), UTF_8));
        }
        return new SimilarTexts(normalized, 9)
                .pairs(0.7).stream()
                        .collect(Collectors.groupingBy(
                                Pair::later, Collectors.mapping(Pair::first, Collectors.toList())));
    }
}
