package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NaiveShingles;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingling;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AskedPairsTest {
    private static final int DOCUMENTS = 40;

    @ParameterizedTest
    @ValueSource(strings = {"char:3", "char:9", "word:1", "word:2"})
    void shouldMeasureWhatSetsOfSubstringsHaveInCommon(String shingle) {
        List<String> documents = documents();
        AskedPairs pairs = new AskedPairs(TextLines.texts(documents), 1);

        SimilarityCounts counts = measure(pairs, shingle).counts();

        double[] expected = new double[SimilarityCounts.BINS];
        for (int i = 0; i < documents.size(); i++) {
            for (int j = i + 1; j < documents.size(); j++) {
                expected[SimilarityCounts.bin(NaiveShingles.jaccard(shingle, documents.get(i), documents.get(j)))]++;
            }
        }
        assertThat(pairs.pairs()).isEqualTo(DOCUMENTS * (DOCUMENTS - 1) / 2);
        for (int bin = 0; bin < SimilarityCounts.BINS; bin++) {
            assertThat(counts.pairs(bin, bin + 1)).describedAs("bin " + bin).isEqualTo(expected[bin]);
        }
    }

    @Test
    void shouldShowPairsOfTheirSimilarity() {
        List<String> documents = documents();
        MeasuredShingle measured = measure(new AskedPairs(TextLines.texts(documents), 1), "word:1");

        List<PairExample> examples = measured.from(0.3, 50);

        assertThat(examples).isNotEmpty().allSatisfy(pair -> {
            assertThat(pair.jaccard()).isGreaterThanOrEqualTo(0.3);
            assertThat(pair.first()).isLessThan(pair.second());
            assertThat(NaiveShingles.jaccard("word:1", documents.get(pair.first()), documents.get(pair.second())))
                    .isEqualTo(pair.jaccard());
        });
        assertThat(measured.from(0.3, 3)).isEqualTo(examples.subList(0, 3));
        assertThat(measured.below(0.3, 3)).hasSize(3).allMatch(pair -> pair.jaccard() < 0.3);
    }

    @Test
    void shouldLetFewerAskWhereTheWorkIsBounded() {
        List<String> documents = Generated.documents(400, 3);
        AskedPairs pairs = new AskedPairs(TextLines.texts(documents), 1);
        Shingler shingler = Shingler.of("word:1", 0);

        pairs.bound(List.of(shingler), 200_000, Long.MAX_VALUE);

        assertThat(pairs.askers()).isBetween(5, 200);
        SimilarityCounts some = measure(pairs, "word:1").counts();
        assertThat(some.pairs()).isEqualTo((double) pairs.pairs());
        SimilarityCounts all =
                measure(new AskedPairs(TextLines.texts(documents), 1), "word:1").counts();
        assertThat(some.mean(100, similarity -> similarity))
                .isCloseTo(all.mean(100, similarity -> similarity), within(0.005));
    }

    @Test
    void shouldLetFewerAskWhereTheirShinglesAreBounded() {
        AskedPairs pairs = new AskedPairs(TextLines.texts(Generated.documents(400, 3)), 1);

        pairs.bound(List.of(Shingler.of("char:9", 0)), 1e12, 40_000);

        assertThat(pairs.bound()).isEqualTo(AskerBound.MEMORY);
        assertThat(pairs.askers()).isBetween(40, 90);
        assertThat(measure(pairs, "char:9").counts().pairs()).isEqualTo((double) pairs.pairs());
    }

    @Test
    void shouldEstimateTheSimilaritiesOfLongTexts() {
        List<String> documents = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            documents.add(String.join(" ", Generated.documents(60, i)));
            documents.add(documents.get(2 * i).replace("1", "") + " more");
        }
        AskedPairs exact = new AskedPairs(TextLines.texts(documents), 1);
        AskedPairs sampled = new AskedPairs(TextLines.texts(documents), 1);

        sampled.bound(List.of(Shingler.of("char:9", 0)), 1e12, 1_000_000);

        assertThat(sampled.isSampling()).isTrue();
        assertThat(exact.isSampling()).isFalse();
        assertThat(sampled.askers()).isEqualTo(documents.size());
        double copies = measure(exact, "char:9").from(0.2, 1_000).stream()
                .mapToDouble(PairExample::jaccard)
                .average()
                .orElseThrow();
        assertThat(measure(sampled, "char:9").from(0.2, 1_000))
                .hasSize(12)
                .allSatisfy(pair -> assertThat(pair.jaccard()).isCloseTo(copies, within(0.05)));
        assertThat(measure(sampled, "char:9").counts().pairs()).isEqualTo((double) exact.pairs());
    }

    /** Generated ones, and edited copies of some of them. */
    private static List<String> documents() {
        List<String> documents = new ArrayList<>(Generated.documents(DOCUMENTS - 10, 1));
        for (int i = 0; i < 10; i++) {
            documents.add(documents.get(i).replace("e", "") + " and more of it " + i);
        }
        return documents;
    }

    private static MeasuredShingle measure(AskedPairs pairs, String shingle) {
        return pairs.measure(new Shingling(LetterCase.LOWER, shingle));
    }
}
