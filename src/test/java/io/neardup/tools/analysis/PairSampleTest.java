package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NaiveShingles;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingling;
import io.neardup.tools.analysis.PairSample.Limits;
import io.neardup.tools.analysis.Tuning.PairExample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PairSampleTest {
    private static final Shingler SCREEN = Shingler.of(PairSample.SCREEN, 0);
    private static final Limits ALL = new Limits(10_000, Long.MAX_VALUE, 1 << 20, true, Long.MAX_VALUE);
    private static final int DOCUMENTS = 300;
    private static final int COPIES = 50;

    @ParameterizedTest
    @ValueSource(strings = {"char:3", "char:9", "word:1", "word:2"})
    void shouldMeasureWhatSetsOfSubstringsHaveInCommon(String shingle) {
        List<String> texts = texts(30, 10);
        double[] expected = new double[SimilarityCounts.BINS];
        for (int i = 0; i < texts.size(); i++) {
            for (int j = i + 1; j < texts.size(); j++) {
                expected[SimilarityCounts.bin(NaiveShingles.jaccard(shingle, texts.get(i), texts.get(j)))]++;
            }
        }

        SimilarityCounts counts = measure(PairSample.of(TextLines.texts(texts), SCREEN, ALL), shingle)
                .counts();

        assertThat(counts.byBin()).isEqualTo(expected);
    }

    /** Of each stratum a few: those that are alike are fewer, so they are all there. */
    @ParameterizedTest
    @CsvSource({"char:9, false", "char:9, true", "word:1, false", "word:1, true"})
    void shouldEstimateWhatAllPairsHaveInCommon(String shingle, boolean isByAnchor) {
        List<ComparedText> texts = TextLines.texts(texts(DOCUMENTS, COPIES));
        MeasuredShingle all = measure(PairSample.of(texts, SCREEN, ALL), shingle);
        PairSample sample =
                PairSample.of(texts, SCREEN, new Limits(10_000, Long.MAX_VALUE, 300, isByAnchor, Long.MAX_VALUE));

        MeasuredShingle some = measure(sample, shingle);

        assertThat(sample.size()).isLessThan(20_000);
        assertThat(some.counts().pairs()).isCloseTo(all.counts().pairs(), within(1e-3));
        assertThat(some.counts().pairsFrom(0.5))
                .isEqualTo(all.counts().pairsFrom(0.5))
                .isGreaterThanOrEqualTo(COPIES);
        assertThat(some.counts().mean(30, similarity -> similarity))
                .isCloseTo(all.counts().mean(30, similarity -> similarity), within(0.003));
        assertThat(some.valley().orElseThrow().threshold())
                .isCloseTo(all.valley().orElseThrow().threshold(), within(0.05));
    }

    @Test
    void shouldCountAllPairsWhereNotAllAsk() {
        List<ComparedText> texts = TextLines.texts(texts(DOCUMENTS, COPIES));
        PairSample all = PairSample.of(texts, SCREEN, ALL);
        PairSample some = PairSample.of(texts, SCREEN, new Limits(100, Long.MAX_VALUE, 1_000, true, 1 << 30));

        assertThat(some.anchors()).isEqualTo(100);
        SimilarityCounts counts = measure(some, "char:9").counts();
        assertThat(counts.pairs()).isCloseTo((double) all.pairs(), within(1e-3));
        assertThat(counts.pairsFrom(0.3))
                .isCloseTo(measure(all, "char:9").counts().pairsFrom(0.3), within(20.0));
    }

    @Test
    void shouldLetFewerAskWhereTheirTextsAreBounded() {
        PairSample sample = PairSample.of(
                TextLines.texts(TextLines.generated(400, 3)), SCREEN, new Limits(10_000, 40_000, 1_000, true, 1 << 30));

        assertThat(sample.anchors()).isBetween(40, 90);
    }

    @Test
    void shouldKeepFewerPairsAndCountAsManyWhereTextsTakeTooMuchRoom() {
        List<ComparedText> texts = TextLines.texts(texts(DOCUMENTS, COPIES));

        PairSample sample = PairSample.of(texts, SCREEN, new Limits(10_000, Long.MAX_VALUE, 5_000, true, 250_000));

        assertThat(sample.size()).isBetween(20, 2_000);
        assertThat(measure(sample, "char:9").counts().pairs()).isCloseTo((double) sample.pairs(), within(1e-3));
    }

    @Test
    void shouldEstimateTheSimilaritiesOfLongTexts() {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            texts.add(String.join(" ", TextLines.generated(60, i)));
            texts.add(texts.get(2 * i).replace("1", "") + " more");
        }
        PairSample sample = PairSample.of(TextLines.texts(texts), SCREEN, ALL);

        List<PairExample> alike = measure(sample, "char:9").from(0.2, 1_000);

        assertThat(alike)
                .hasSize(12)
                .anyMatch(pair -> pair.jaccard() != exact(pair))
                .allSatisfy(pair -> assertThat(pair.jaccard()).isCloseTo(exact(pair), within(0.05)));
    }

    /** Of the shingles of a short text few, or none, would be in a sample for the typical length. */
    @Test
    void shouldCountCopiesOfShortTextsAmongLongOnes() {
        SplittableRandom random = new SplittableRandom(1);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            texts.add(TextLines.words(400, 2_000, random));
        }
        for (int i = 0; i < 8; i++) {
            texts.addAll(Collections.nCopies(30, TextLines.words(3, 2_000, random)));
        }
        PairSample sample = PairSample.of(
                TextLines.texts(texts), SCREEN, new Limits(10_000, Long.MAX_VALUE, 100, false, Long.MAX_VALUE));

        SimilarityCounts counts = measure(sample, "char:9").counts();

        assertThat(counts.pairsFrom(0.97)).isCloseTo(8 * 30 * 29 / 2.0, within(1e-6));
    }

    private static double exact(PairExample pair) {
        return NaiveShingles.jaccard(
                "char:9", pair.first().text(), pair.second().text());
    }

    @Test
    void shouldShowPairsOfTheirSimilarity() {
        List<String> texts = texts(30, 10);
        MeasuredShingle measured = measure(PairSample.of(TextLines.texts(texts), SCREEN, ALL), "word:1");

        List<PairExample> examples = measured.from(0.3, 50);

        assertThat(examples).isNotEmpty().allSatisfy(pair -> {
            assertThat(pair.jaccard()).isGreaterThanOrEqualTo(0.3);
            assertThat(pair.first().number()).isLessThan(pair.second().number());
            assertThat(NaiveShingles.jaccard(
                            "word:1", pair.first().text(), pair.second().text()))
                    .isEqualTo(pair.jaccard());
        });
        assertThat(measured.from(0.3, 3)).isEqualTo(examples.subList(0, 3));
        assertThat(measured.below(0.3, 3)).hasSize(3).allMatch(pair -> pair.jaccard() < 0.3);
    }

    /** Of four families of eleven there are ten times as many pairs as of 22 texts with one copy. */
    @Test
    void shouldCountADocumentOnceHoweverManyNeighboursItHas() {
        assertThat(depth(4, 10)).isLessThan(3 * depth(22, 1));
    }

    /** A fifth of all are of one family: drawn from all pairs, the others would seem to have no neighbours. */
    @Test
    void shouldFindNeighboursOfAllWhereMostPairsAreOfOneFamily() {
        List<String> texts = new ArrayList<>(TextLines.generated(DOCUMENTS, 1));
        for (int i = 0; i < DOCUMENTS; i++) {
            String half = texts.get(i).substring(0, texts.get(i).length() / 2);
            texts.add(half + TextLines.generated(1, 1_000 + i).get(0).substring(half.length()));
        }
        String template = texts.get(0).substring(0, texts.get(0).length() / 2);
        for (int i = 0; i < DOCUMENTS / 2; i++) {
            texts.add(template + TextLines.generated(1, 5_000 + i).get(0).substring(template.length()));
        }

        PairSample sample = PairSample.of(
                TextLines.texts(texts), SCREEN, new Limits(10_000, Long.MAX_VALUE, 750, true, Long.MAX_VALUE));

        PairSample.Similarities found = sample.similarities(new Shingling(LetterCase.LOWER, "char:5"));
        Set<Integer> haveNeighbours = new HashSet<>();
        for (int pair = 0; pair < sample.size(); pair++) {
            if (found.jaccards()[pair] > 0.2) {
                haveNeighbours.add(sample.first(pair).number());
                haveNeighbours.add(sample.second(pair).number());
            }
        }
        assertThat(haveNeighbours).hasSizeGreaterThan(texts.size() * 19 / 20);
    }

    private static double depth(int stories, int copies) {
        List<String> texts = new ArrayList<>(TextLines.generated(400, 1));
        for (int i = 0; i < stories * copies; i++) {
            texts.add(texts.get(i % stories).replaceAll("[" + (char) ('a' + i / stories) + "]", "") + " the end " + i);
        }
        return measure(PairSample.of(TextLines.texts(texts), SCREEN, ALL), "char:9")
                .valley()
                .orElseThrow()
                .depth();
    }

    // ---- by hundredths

    @Test
    void shouldCountAPairInItsHundredth() {
        for (int hundredth = 0; hundredth < 100; hundredth++) {
            assertThat(SimilarityCounts.bin(hundredth / 100.0)).isEqualTo(hundredth);
            assertThat(SimilarityCounts.bin(hundredth * 0.01)).isEqualTo(hundredth);
            assertThat(SimilarityCounts.bin((hundredth + 0.99) / 100)).isEqualTo(hundredth);
        }
        assertThat(SimilarityCounts.bin(1)).isEqualTo(99);
    }

    @Test
    void shouldTellWhatAShareStaysBelowAndTheMeanOfWhatDoes() {
        SimilarityCounts counts = new SimilarityCounts();
        counts.add(0.101, 1);
        counts.add(0.103, 1);
        counts.add(0.5, 2);
        counts.add(0.9, 7);

        assertThat(counts.pairsFrom(0.5)).isEqualTo(9);
        assertThat(counts.quantile(0.1)).isEqualTo(0.11);
        assertThat(counts.quantile(0.5)).isEqualTo(0.91);
        assertThat(counts.mean(90, similarity -> similarity)).isCloseTo((0.101 + 0.103 + 1) / 4, within(1e-12));
        assertThat(counts.mean(5, similarity -> similarity)).isZero();
        assertThat(new SimilarityCounts().quantile(0.5)).isZero();
    }

    private static MeasuredShingle measure(PairSample sample, String shingle) {
        return new MeasuredShingle(new Shingling(LetterCase.LOWER, shingle), sample);
    }

    /** Generated ones, and edited copies of some of them. */
    private static List<String> texts(int documents, int copies) {
        List<String> texts = new ArrayList<>(TextLines.generated(documents, 1));
        for (int i = 0; i < copies; i++) {
            texts.add(texts.get(i).replace("e", "") + " and more of it " + i);
        }
        return texts;
    }
}
