package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.text.ShingleLists;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The judges of SimHash: exact cosine, and the one that is estimated from bits. */
class CosineTest {
    private static final long SEED = 0x5EED;
    private static final DocumentFrequencies FREQUENCIES =
            DocumentFrequencies.of(1_000, Map.of("a", 900, "b", 250, "ab", 31, "ba", 1));

    @Nested
    class OfEqualWeights extends ExactJudgeContract {
        ShingleWeights weights(String spec) {
            return ShingleWeights.EQUAL;
        }

        @Override
        SimilarityJudge judge(String spec) {
            return new ExactCosine(Shingler.of(spec, SEED), weights(spec));
        }

        @Override
        Similarity expected(String spec, String first, String second) {
            Shingler shingler = Shingler.of(spec, SEED);
            ShingleWeights weights = weights(spec);
            Shingles a = ShingleLists.of(shingler, first);
            Shingles b = ShingleLists.of(shingler, second);
            return new Similarity(cosine(a, b, weights), share(a, b, weights), share(b, a, weights));
        }
    }

    @Nested
    class OfFrequencies extends OfEqualWeights {
        @Override
        ShingleWeights weights(String spec) {
            return FREQUENCIES.weights(spec, SEED);
        }

        @Override
        List<String> specs() {
            return List.of("word:1");
        }
    }

    /** A right angle is half of the bits; beyond it nothing is similar. */
    @ParameterizedTest
    @CsvSource({"0,1", "16,0.70710678", "32,0", "33,0", "64,0", "1,0.99879546"})
    void shouldTakeTheCosineOfTheShareOfBits(int different, double cosine) {
        long[] a = {0x0123456789ABCDEFL};
        long[] b = {a[0] ^ (different == 64 ? -1 : (1L << different) - 1)};

        Similarity similarity = SimHashFamily.estimate(SimHashFamily.evidence(a), SimHashFamily.evidence(b));

        assertThat(similarity.value()).isEqualTo(cosine, within(1e-8));
        assertThat(similarity.ofFirst()).isNaN();
        assertThat(similarity).isEqualTo(SimHashFamily.estimate(SimHashFamily.evidence(b), SimHashFamily.evidence(a)));
    }

    // ---- the oracle: maps from shingles to weights

    private static double cosine(Shingles a, Shingles b, ShingleWeights weights) {
        Map<Long, Double> vectorA = vector(a, weights);
        Map<Long, Double> vectorB = vector(b, weights);
        double squares = product(vectorA, vectorA) * product(vectorB, vectorB);
        return squares == 0 ? 0 : Math.min(1, product(vectorA, vectorB) / Math.sqrt(squares));
    }

    /** The share of the distinct shingles of one that another has too. */
    private static double share(Shingles of, Shingles in, ShingleWeights weights) {
        Map<Long, Double> all = vector(of, weights);
        Map<Long, Double> other = vector(in, weights);
        return all.isEmpty()
                ? 0
                : all.keySet().stream().filter(other::containsKey).count() / (double) all.size();
    }

    private static Map<Long, Double> vector(Shingles shingles, ShingleWeights weights) {
        Map<Long, Double> vector = new HashMap<>();
        for (int i = 0; i < shingles.size(); i++) {
            vector.merge(shingles.hash(i), (double) weights.of(shingles.hash(i)), Double::sum);
        }
        return vector;
    }

    private static double product(Map<Long, Double> a, Map<Long, Double> b) {
        return a.entrySet().stream()
                .mapToDouble(entry -> entry.getValue() * b.getOrDefault(entry.getKey(), 0.0))
                .sum();
    }
}
