package io.neardup.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.text.Shingler;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnrelatedPairsTest {
    private static final int DOCUMENTS = 40;

    @ParameterizedTest
    @ValueSource(strings = {"char:5", "char:9", "word:1", "word:2"})
    void shouldMeasureWhatSetsOfSubstringsHaveInCommon(String shingle) {
        List<String> documents = Generated.documents(DOCUMENTS, 1);

        UnrelatedPairs pairs = UnrelatedPairs.of(documents, 50_000, 1);

        List<Double> expected = bruteForce(documents, shingle);
        assertThat(pairs.size()).isEqualTo(expected.size());
        assertThat(pairs.related()).isEqualTo(DOCUMENTS * (DOCUMENTS - 1) / 2 - expected.size());
        assertThat(pairs.similarities(Shingler.of(shingle, 1)).mean(similarity -> similarity))
                .isEqualTo(
                        expected.stream().mapToDouble(d -> d).sorted().average().orElseThrow());
        assertThat(pairs.similarities(Shingler.of(shingle, 1)).quantile(1))
                .isEqualTo(expected.stream().mapToDouble(d -> d).max().orElseThrow());
    }

    @Test
    void shouldSetNearDuplicatesAside() {
        List<String> documents = new ArrayList<>(Generated.documents(10, 1));
        documents.add(documents.get(0) + " and more");

        UnrelatedPairs pairs = UnrelatedPairs.of(documents, 50_000, 1);

        assertThat(pairs.related()).isEqualTo(1);
        assertThat(pairs.size()).isEqualTo(11 * 10 / 2 - 1);
        assertThat(pairs.similarities(Shingler.of("char:5", 1)).quantile(1)).isLessThan(0.5);
    }

    @Test
    void shouldMeasureTheSameTwice() {
        List<String> documents = Generated.documents(60, new SplittableRandom(3).nextLong());

        assertThat(UnrelatedPairs.of(documents, 500, 7)
                        .similarities(Shingler.of("char:5", 1))
                        .histogram(100))
                .isEqualTo(UnrelatedPairs.of(documents, 500, 7)
                        .similarities(Shingler.of("char:5", 1))
                        .histogram(100));
    }

    private static List<Double> bruteForce(List<String> documents, String shingle) {
        List<Double> similarities = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            for (int j = i + 1; j < documents.size(); j++) {
                if (jaccard(documents.get(i), documents.get(j), "char:5") < 0.5) {
                    similarities.add(jaccard(documents.get(i), documents.get(j), shingle));
                }
            }
        }
        return similarities;
    }

    private static double jaccard(String a, String b, String shingle) {
        Set<String> shared = shingles(a, shingle);
        Set<String> all = new HashSet<>(shared);
        shared.retainAll(shingles(b, shingle));
        all.addAll(shingles(b, shingle));
        return shared.size() / (double) all.size();
    }

    private static Set<String> shingles(String text, String shingle) {
        int k = Integer.parseInt(shingle.substring(5));
        List<String> units = List.of(text.split(shingle.startsWith("char") ? "" : " "));
        Set<String> shingles = new HashSet<>();
        for (int i = 0; i + k <= units.size(); i++) {
            shingles.add(String.join(" ", units.subList(i, i + k)));
        }
        return shingles;
    }
}
