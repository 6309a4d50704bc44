package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.BandingSolver;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingling;
import io.neardup.tools.analysis.Tuning.Finding;
import io.neardup.tools.feed.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TunerTest {
    private static final Progress UNHEARD = text -> {};
    private static final TuningTargets TARGETS = TextLines.targets("char:9", OptionalLong.of(1_000_000));

    @Test
    void shouldFindWhereEditedCopiesBegin() throws IOException {
        Tuning tuning = tune(withCopies(200, 100));

        assertThat(tuning.finding()).isEqualTo(Finding.PARTED);
        assertThat(tuning.anchors()).isEqualTo(300);
        assertThat(tuning.proposal().duplicatePairs()).isEqualTo(100);
        assertThat(tuning.alternatives().get(0).halves()).isGreaterThan(15);
        assertThat(tuning.proposal().recall()).isGreaterThanOrEqualTo(0.99 - 1e-9);
    }

    @ParameterizedTest
    @EnumSource(names = {"NO_COPIES", "EXACT_COPIES", "ALL_ALIKE"})
    void shouldKeepTheConventionWhereNothingParts(Finding finding) throws IOException {
        List<String> unlike = TextLines.generated(200, 1);
        String story = unlike.get(0);
        SplittableRandom random = new SplittableRandom(1);
        Stream<String> texts =
                switch (finding) {
                    case NO_COPIES -> unlike.stream();
                    case EXACT_COPIES ->
                        Stream.concat(unlike.stream(), unlike.stream().limit(60));
                    default ->
                        Stream.generate(() -> TextLines.edited(story, 0.03, random))
                                .limit(80);
                };

        Tuning tuning = tune(texts.toList());

        assertThat(tuning.finding()).isEqualTo(finding);
        assertConvention(tuning);
        assertThat(tuning.alternatives()).isEmpty();
    }

    @Test
    void shouldKeepTheConventionOfTooFewDocumentsAndListNoAlternatives() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        List<String> texts = TextLines.generated(7, 1).stream()
                .flatMap(text ->
                        Stream.of(text, TextLines.edited(text, 0.1, random), TextLines.edited(text, 0.1, random)))
                .toList();
        for (int documents : new int[] {0, 1, 2, Tuning.DOCUMENTS_MIN - 1}) {
            Tuning tuning = tune(texts.subList(0, documents));

            assertThat(tuning.finding()).isEqualTo(Finding.TOO_FEW);
            assertThat(tuning.alternatives()).isEmpty();
            assertConvention(tuning);
        }
    }

    @Test
    void shouldNotBeSureOfShortTexts() throws IOException {
        SplittableRandom random = new SplittableRandom(4);
        List<String> texts = new ArrayList<>(TextLines.generated(300, 1).stream()
                .map(text -> text.substring(0, 90).strip())
                .toList());
        for (int i = 0; i < 150; i++) {
            texts.add(TextLines.edited(texts.get(i), 0.1, random));
        }

        Tuning tuning = tune(texts);

        assertThat(tuning.isTooShort()).isTrue();
        assertThat(tuning.finding()).isNotEqualTo(Finding.PARTED);
        assertConvention(tuning);
    }

    private record Planted(int story, int template, String text) {}

    /** Of stories in three templates some have an edited copy, and one is everywhere, edited each time anew. */
    @ParameterizedTest
    @ValueSource(ints = {30, 250})
    void shouldTellStoriesApartInTemplatesThatAreLittleOrMostOfTheText(int templateWords) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        List<String> templates = texts(3, templateWords, random);
        List<String> stories = texts(150, 80, random);
        List<Planted> planted = new ArrayList<>();
        for (int i = 0; i < 260; i++) {
            int story = i < 210 ? i % 150 : 149;
            String text = i < 150 ? stories.get(story) : TextLines.edited(stories.get(story), 0.05, random);
            planted.add(new Planted(story, i % 3, templates.get(i % 3) + " " + text));
        }
        List<String> texts = planted.stream().map(Planted::text).toList();

        Tuning tuning = TextLines.tune(texts);

        assertThat(tuning.finding()).isEqualTo(Finding.PARTED);
        List<ShingleSet> sets = TextLines.sets(
                TextLines.texts(texts), tuning.proposed().shingling().shingler(0));
        int copies = 0;
        for (int first = 0; first < texts.size(); first++) {
            for (int second = first + 1; second < texts.size(); second++) {
                boolean isFound = sets.get(first).jaccard(sets.get(second))
                        >= tuning.proposal().threshold();
                boolean isSameStory = planted.get(first).story == planted.get(second).story;
                boolean isCopy = isSameStory && planted.get(first).template == planted.get(second).template;
                copies += isCopy ? 1 : 0;
                assertThat(isFound).as("%d and %d", first, second).isIn(isCopy, isSameStory);
            }
        }
        assertThat(copies).isGreaterThan(60);
    }

    private static List<String> texts(int count, int words, SplittableRandom random) {
        return Stream.generate(() -> TextLines.words(words, 200_000, random))
                .limit(count)
                .toList();
    }

    @Test
    void shouldFindWhereEditedCopiesBeginInAFileThatIsNotHeld() throws IOException {
        List<String> texts = withCopies(600, 300);

        Tuning tuning = tuneWithoutHolding(texts);

        assertThat(tuning.documents()).isEqualTo(900);
        assertThat(tuning.anchors()).isEqualTo(300);
        assertThat(tuning.finding()).isEqualTo(Finding.PARTED);
        assertThat(tuning.pairs()).isEqualTo(900 * 899 / 2);
        // Of 300 some 170 are paired with an anchor; these stand for the others.
        assertThat(tuning.proposal().duplicatePairs()).isBetween(250.0, 350.0);
        assertThat(tuning.alternatives().get(0).above()).isNotEmpty().allSatisfy(pair -> assertThat(
                        words(pair.first()).filter(words(pair.second()).toList()::contains))
                .hasSizeGreaterThan(80));
        assertSame(tuning, tuneWithoutHolding(texts));
    }

    /** Anchors and pairs are drawn, and drawn the same again. */
    private static void assertSame(Tuning one, Tuning other) {
        assertThat(other.alternatives())
                .usingRecursiveComparison()
                .withEqualsForType((text, same) -> text.number() == same.number(), ComparedText.class)
                .isEqualTo(one.alternatives());
        for (MeasuredShingle measured : one.measured()) {
            MeasuredShingle again = other.measured().get(one.measured().indexOf(measured));
            assertThat(again.valley()).isEqualTo(measured.valley());
            assertThat(again.counts().byBin()).isEqualTo(measured.counts().byBin());
        }
    }

    private static Tuning tuneWithoutHolding(List<String> texts) throws IOException {
        Tuner.Bounds bounds = new Tuner.Bounds(Integer.MAX_VALUE, 300_000, 300);
        return new Tuner(TextLines.of(texts), TARGETS, bounds, UNHEARD).tune();
    }

    private static Stream<String> words(ComparedText document) {
        return Stream.of(document.text().split(" "));
    }

    private static List<String> withCopies(int documents, int copies) {
        List<String> texts = new ArrayList<>(TextLines.generated(documents, 1));
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < copies; i++) {
            texts.add(TextLines.edited(texts.get(i), 0.05 + 0.10 * random.nextDouble(), random));
        }
        Collections.shuffle(texts, new Random(3));
        return texts;
    }

    private static void assertConvention(Tuning tuning) {
        assertThat(tuning.proposal().shingle()).isEqualTo("char:9");
        assertThat(tuning.proposal().threshold()).isEqualTo(0.7);
        assertThat(tuning.proposal().banding().rows()).isGreaterThan(1);
    }

    private static Tuning tune(List<String> texts) throws IOException {
        return new Tuner(TextLines.of(texts), TARGETS, Integer.MAX_VALUE, UNHEARD).tune();
    }

    // ---- the banding of one shingle

    private static final TuningTargets USUAL = targets(0.99, 10_000_000);

    @Test
    void shouldTakeTheMeanOfTheCurveAndNotTheCurveOfTheMean() {
        double[] values = {0.01, 0.02, 0.3};

        ShingleFit fit = fit(USUAL, values);

        int bands = fit.banding().bands();
        int rows = fit.banding().rows();
        double expected = Arrays.stream(values)
                        .map(similarity -> 1 - Math.pow(1 - Math.pow(similarity, rows), bands))
                        .average()
                        .orElseThrow()
                * 10_000_000;
        assertThat(fit.falseCandidates()).isCloseTo(expected, within(expected * 1e-6));
    }

    @Test
    void shouldNotCountCopiesAsUnrelated() {
        ShingleFit fit = fit(USUAL, 0.02, 0.02, 0.7, 0.9, 1);

        assertThat(fit.banding()).isEqualTo(BandingSolver.solve(0.7, 0.99, 10_000_000, 0.02, 256));
        assertThat(fit.bytesPerDocument()).isEqualTo(65 + 1);
        assertThat(fit.falseCandidates()).isCloseTo(fit(USUAL, 0.02, 0.02).falseCandidates(), within(1e-9));
        assertThat(fit.duplicatePairs()).isEqualTo(3);
    }

    @Test
    void shouldReachTheRecallWithTheFewestHashesThatLetAtTheMostOneThrough() {
        double[] unrelated =
                DoubleStream.iterate(0.001, s -> s + 0.0005).limit(200).toArray();

        ShingleFit fit = fit(targets(0.95, 100_000), unrelated);

        assertThat(fit.recall()).isGreaterThanOrEqualTo(0.95);
        assertThat(fit.falseCandidates()).isLessThanOrEqualTo(1);
        Banding fewerRows = new Banding(fit.banding().bands(), fit.banding().rows() - 1);
        assertThat(100_000
                        * Arrays.stream(unrelated)
                                .map(fewerRows::probability)
                                .average()
                                .orElseThrow())
                .isGreaterThan(1);
    }

    @Test
    void shouldKeepTheSimilarityOfUnrelatedPairsBelowTheThreshold() {
        assertThat(fit(USUAL, 0.699).unrelatedSimilarity()).isLessThan(0.7);
        assertThat(fit(USUAL, 0).unrelatedSimilarity()).isZero();
    }

    private static TuningTargets targets(double recall, long indexSize) {
        return new TuningTargets(
                new Shingling(LetterCase.LOWER, "char:9"), 0.7, 0.02, recall, OptionalLong.of(indexSize));
    }

    private static ShingleFit fit(TuningTargets targets, double... similarities) {
        return ShingleFit.of("char:9", 0.7, counts(similarities), 7, targets);
    }

    private static SimilarityCounts counts(double... similarities) {
        SimilarityCounts counts = new SimilarityCounts();
        Arrays.stream(similarities).forEach(similarity -> counts.add(similarity, 1));
        return counts;
    }
}
