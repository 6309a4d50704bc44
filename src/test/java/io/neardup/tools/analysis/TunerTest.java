package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.tools.analysis.Tuning.Finding;
import io.neardup.tools.feed.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TunerTest {
    private static final Progress UNHEARD = text -> {};
    private static final TuningTargets TARGETS = TextLines.targets("char:9", OptionalLong.of(1_000_000));

    @Test
    void shouldFindWhereEditedCopiesBegin() throws IOException {
        Tuning tuning = tune(withCopies(200, 100));

        assertThat(tuning.finding()).isEqualTo(Finding.PARTED);
        assertThat(tuning.askers()).isEqualTo(300);
        assertThat(tuning.proposal().duplicatePairs()).isEqualTo(100);
        assertThat(tuning.alternatives().get(0).halves()).isGreaterThan(15);
        assertThat(tuning.proposal().recall()).isGreaterThanOrEqualTo(0.99 - 1e-9);
    }

    @ParameterizedTest
    @EnumSource(
            value = Finding.class,
            names = {"NO_COPIES", "EXACT_COPIES", "ALL_ALIKE"})
    void shouldKeepTheConventionWhereNothingParts(Finding finding) throws IOException {
        List<String> unlike = Generated.documents(200, 1);
        String story = unlike.get(0);
        SplittableRandom random = new SplittableRandom(1);
        Stream<String> texts =
                switch (finding) {
                    case NO_COPIES -> unlike.stream();
                    case EXACT_COPIES ->
                        Stream.concat(unlike.stream(), unlike.stream().limit(60));
                    default ->
                        Stream.generate(() -> edited(story, 0.03, random)).limit(80);
                };

        Tuning tuning = tune(texts.toList());

        assertThat(tuning.finding()).isEqualTo(finding);
        assertConvention(tuning);
        assertThat(tuning.alternatives()).isEmpty();
    }

    @Test
    void shouldKeepTheConventionOfTooFewDocumentsAndListNoAlternatives() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        List<String> texts = Generated.documents(7, 1).stream()
                .flatMap(text -> Stream.of(text, edited(text, 0.1, random), edited(text, 0.1, random)))
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
        List<String> texts = new ArrayList<>(Generated.documents(300, 1).stream()
                .map(text -> text.substring(0, 90).strip())
                .toList());
        for (int i = 0; i < 150; i++) {
            texts.add(edited(texts.get(i), 0.1, random));
        }

        Tuning tuning = tune(texts);

        assertThat(tuning.isTooShort()).isTrue();
        assertThat(tuning.finding()).isNotEqualTo(Finding.PARTED);
        assertConvention(tuning);
    }

    @Test
    void shouldFindWhereEditedCopiesBeginInAFileThatIsNotHeld() throws IOException {
        List<String> texts = withCopies(600, 300);

        Tuning tuning = tuneWithoutHolding(texts);

        assertThat(tuning.documents()).isEqualTo(900);
        assertThat(tuning.askers()).isEqualTo(300);
        assertThat(tuning.finding()).isEqualTo(Finding.PARTED);
        // Each asker that has a copy meets it; those of which both ask are counted once.
        assertThat(tuning.proposal().duplicatePairs()).isBetween(140.0, 195.0);
        assertThat(tuning.alternatives().get(0).above()).isNotEmpty().allSatisfy(pair -> assertThat(
                        words(pair.first()).filter(words(pair.second()).toList()::contains))
                .hasSizeGreaterThan(80));
        assertSame(tuning, tuneWithoutHolding(texts));
    }

    /** Askers and pairs are drawn, and drawn the same again. */
    private static void assertSame(Tuning one, Tuning other) {
        assertThat(other.alternatives())
                .usingRecursiveComparison()
                .withEqualsForType((text, same) -> text.number() == same.number(), ComparedText.class)
                .isEqualTo(one.alternatives());
        for (MeasuredShingle measured : one.measured()) {
            MeasuredShingle again = other.measured().get(one.measured().indexOf(measured));
            assertThat(again.valley()).isEqualTo(measured.valley());
            for (int bin = 0; bin < SimilarityCounts.BINS; bin++) {
                assertThat(again.counts().pairs(bin, bin + 1))
                        .isEqualTo(measured.counts().pairs(bin, bin + 1));
            }
        }
    }

    private static Tuning tuneWithoutHolding(List<String> texts) throws IOException {
        GatheredTexts.Bounds bounds = new GatheredTexts.Bounds(Integer.MAX_VALUE, 300_000, 300);
        return new Tuner(TextLines.of(texts), TARGETS, bounds, UNHEARD).tune();
    }

    private static Stream<String> words(ComparedText document) {
        return Stream.of(document.text().split(" "));
    }

    private static List<String> withCopies(int documents, int copies) {
        List<String> texts = new ArrayList<>(Generated.documents(documents, 1));
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < copies; i++) {
            texts.add(edited(texts.get(i), 0.05 + 0.10 * random.nextDouble(), random));
        }
        Collections.shuffle(texts, new Random(3));
        return texts;
    }

    private static void assertConvention(Tuning tuning) {
        assertThat(tuning.proposal().shingle()).isEqualTo("char:9");
        assertThat(tuning.proposal().threshold()).isEqualTo(0.7);
        assertThat(tuning.proposal().banding().rows()).isGreaterThan(1);
    }

    private static String edited(String text, double share, SplittableRandom random) {
        return Stream.of(text.split(" "))
                .map(word -> random.nextDouble() < share ? "edit" + random.nextInt(100_000) : word)
                .collect(Collectors.joining(" "));
    }

    private static Tuning tune(List<String> texts) throws IOException {
        return new Tuner(TextLines.of(texts), TARGETS, Integer.MAX_VALUE, UNHEARD).tune();
    }
}
