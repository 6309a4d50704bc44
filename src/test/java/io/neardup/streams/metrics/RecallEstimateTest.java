package io.neardup.streams.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.config.Signing;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.protocol.Decision;
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
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecallEstimateTest {
    private static final int RUNS = 200;
    private static final long HASH_SEED = 0x9E3779B97F4A7C15L;

    private final RecallEstimate recall = new RecallEstimate();

    @Test
    void shouldLetEachDuplicateStandForThoseThatWereNotFound() {
        LongStream.range(0, 300).forEach(original -> recall.add(original, original < 100 ? 0.5 : 1));

        Estimate estimate = recall.estimate().orElseThrow();

        assertThat(estimate.duplicates()).isEqualTo(300);
        assertThat(estimate.share()).isEqualTo(300 / 400.0);
        // 100 times (1 - p) / p^2 = 2.
        double either = 1.96 * Math.sqrt(200);
        assertThat(estimate.low()).isCloseTo(300 / (400 + either), within(1e-9));
        assertThat(estimate.high()).isCloseTo(300 / (400 - either), within(1e-9));
    }

    @Test
    void shouldNotTellFromAFew() {
        recall.add(1, 0.5);
        recall.add(2, 0.5);

        assertThat(recall.estimate()).isEmpty();
    }

    /**
     * Copies are found or missed one by one, or all those of an original together; some originals have many. In either
     * case the interval holds what was found of these copies, and it is no wider than it must for those together.
     */
    @ParameterizedTest
    @CsvSource({"26, 5, false", "26, 5, true", "9, 5, false", "9, 5, true"})
    void shouldHoldTheShareThatIsFoundIn95Of100(int bands, int rows, boolean together) {
        Banding banding = new Banding(bands, rows);
        SplittableRandom random = new SplittableRandom(7);
        int held = 0;
        double width = 0;
        for (int run = 0; run < RUNS; run++) {
            RecallEstimate estimated = new RecallEstimate();
            long all = 0;
            long found = 0;
            for (long original = 0; original < 400; original++) {
                int copies = original % 40 == 0 ? 50 : 1 + random.nextInt(4);
                double chance = banding.probability(0.7 + 0.3 * random.nextDouble());
                double draw = random.nextDouble();
                for (int copy = 0; copy < copies; copy++) {
                    all++;
                    if ((together ? draw : random.nextDouble()) < chance) {
                        found++;
                        estimated.add(original, chance);
                    }
                }
            }
            Estimate estimate = estimated.estimate().orElseThrow();
            double share = found / (double) all;
            held += estimate.low() <= share && share <= estimate.high() ? 1 : 0;
            width += estimate.high() - estimate.low();
        }

        assertThat(held).isGreaterThanOrEqualTo(RUNS * 90 / 100);
        assertThat(width / RUNS).isLessThan(0.12);
    }

    // ---- beside the recall itself

    /** Of each template many, of which two are just below the threshold or just above. */
    private static List<String> texts() {
        Random random = new Random(1);
        List<List<String>> templates =
                Stream.generate(() -> words(random, 200)).limit(20).toList();
        List<String> drawn = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            List<String> text = new ArrayList<>(templates.get(random.nextInt(templates.size())));
            for (int edits = 5 + random.nextInt(7); edits > 0; edits--) {
                text.set(random.nextInt(text.size()), words(random, 1).get(0));
            }
            drawn.add(String.join(" ", text));
        }
        return drawn;
    }

    private static List<String> words(Random random, int count) {
        return random.ints(count, 100_000, 1_000_000)
                .mapToObj(Integer::toString)
                .toList();
    }

    /** What a bound misses is no question of chance, and the interval knows nothing of it: the marks tell. */
    @Test
    void shouldShowABoundThatIsTooLowWithinAThousandDocuments() throws Exception {
        List<String> texts = texts();
        NeardupConfig config = NeardupConfig.of(
                new Settings().pairs(List.of("neardup.verified.max=1", "neardup.hash.seed=" + HASH_SEED)));
        Signing signing = Signing.of(config, HASH_SEED);
        Deduplicator deduplicator = new Deduplicator(config);
        Map<Integer, List<Integer>> similarBefore = new SimilarTexts(texts, 9)
                .pairs(0.7).stream()
                        .collect(Collectors.groupingBy(
                                Pair::later, Collectors.mapping(Pair::first, Collectors.toList())));
        BitSet unique = new BitSet();
        int missed = 0;
        int missedBounded = 0;
        for (int i = 0; i < texts.size(); i++) {
            Decision decision = deduplicator.add(new Document("d" + i, RawText.of(texts.get(i)), ""), i);
            if (decision instanceof Decision.Duplicate duplicate) {
                double chance = signing.sharing(duplicate.similarity().value());
                recall.add(duplicate.original().packed(), chance);
                continue;
            }
            boolean isMissed = similarBefore.getOrDefault(i, List.of()).stream().anyMatch(unique::get);
            boolean isBounded = !((Decision.Unique) decision).bounds().isEmpty();
            missed += isMissed && !isBounded ? 1 : 0;
            missedBounded += isMissed && isBounded ? 1 : 0;
            unique.set(i);
        }

        Estimate estimate = recall.estimate().orElseThrow();
        double ofTheUnbounded = estimate.duplicates() / (double) (estimate.duplicates() + missed);
        assertThat(missedBounded).isPositive();
        assertThat(ofTheUnbounded).isBetween(estimate.low(), estimate.high());
    }
}
