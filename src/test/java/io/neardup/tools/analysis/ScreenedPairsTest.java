package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import io.neardup.tools.analysis.GatheredTexts.Bounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScreenedPairsTest {
    private static final AnalysisProgress UNHEARD = text -> {};
    private static final long SEED = 1;
    private static final TuningTargets TARGETS =
            new TuningTargets(new Shingling(LetterCase.LOWER, "char:9"), 0.7, 0.02, 0.99, OptionalLong.empty(), 256, 4);
    private static final int DOCUMENTS = 600;
    private static final int COPIES = 100;
    private static final int ASKERS = 200;

    private final List<String> texts = texts();

    @Test
    void shouldCountThePairsOfTheAskersAsAFullComparisonDoes() throws IOException {
        ScreenedPairs screened = screened(1 << 30);

        for (String shingle : List.of("char:9", "word:1")) {
            SimilarityCounts counts =
                    screened.measure(TARGETS.shingling(shingle)).counts();
            SimilarityCounts all = new AskedPairs(TextLines.texts(texts), SEED)
                    .measure(TARGETS.shingling(shingle))
                    .counts();

            assertThat(counts.pairs()).isCloseTo((double) screened.pairs(), within(1e-6 * screened.pairs()));
            double share = screened.pairs() / all.pairs();
            assertThat(counts.pairsFrom(0.3)).isCloseTo(all.pairsFrom(0.3) * share, within(20.0));
            assertThat(counts.mean(30, similarity -> similarity))
                    .isCloseTo(all.mean(30, similarity -> similarity), within(0.002));
        }
    }

    @Test
    void shouldCountEveryPairOfAnAskerThatIsAlike() throws IOException {
        ScreenedPairs screened = screened(1 << 30);
        MeasuredShingle measured = screened.measure(TARGETS.shingling("char:9"));

        List<PairExample> alike = measured.from(0.4, 1_000);

        assertThat(screened.askers()).isEqualTo(ASKERS);
        assertThat(alike).isNotEmpty().allSatisfy(pair -> assertThat(pair.second() % DOCUMENTS)
                .isEqualTo(pair.first() % DOCUMENTS));
        assertThat(measured.counts().pairsFrom(0.4))
                .isEqualTo(alikeByBruteForce())
                .isBetween(35.0, 85.0);
    }

    /** Pairs of one of the askers and any document. */
    private double alikeByBruteForce() throws IOException {
        Shingler shingler = TARGETS.shingler("char:9");
        Shingles buffer = new Shingles();
        List<ShingleSet> sets = TextLines.texts(texts).stream()
                .map(text -> text.shingles(shingler, buffer))
                .toList();
        Set<Integer> asking = gathered(TextLines.of(texts)).texts().stream()
                .map(ComparedText::number)
                .collect(Collectors.toSet());
        return asking.stream()
                .flatMap(asker -> IntStream.range(0, sets.size())
                        .filter(other -> other != asker && !(asking.contains(other) && other < asker))
                        .mapToObj(other -> sets.get(asker).jaccard(sets.get(other))))
                .filter(jaccard -> jaccard >= 0.4)
                .count();
    }

    @Test
    void shouldKeepFewerPairsAndCountAsManyWhereTextsTakeTooMuchRoom() throws IOException {
        ScreenedPairs screened = screened(500_000);

        SimilarityCounts counts = screened.measure(TARGETS.shingling("char:9")).counts();

        assertThat(counts.pairs()).isCloseTo((double) screened.pairs(), within(1e-6 * screened.pairs()));
        assertThat(screened.kept()).isBetween(20, 9_000);
        assertThat(screened(1 << 30).kept()).isGreaterThan(10_000);
    }

    private ScreenedPairs screened(long bytesMax) throws IOException {
        DocumentSource source = TextLines.of(texts);
        GatheredTexts gathered = gathered(source);
        assertThat(gathered.isWhole()).isFalse();
        assertThat(gathered.texts()).hasSize(ASKERS);
        return ScreenedPairs.of(gathered, source, TARGETS, bytesMax, UNHEARD);
    }

    private static GatheredTexts gathered(DocumentSource source) throws IOException {
        return GatheredTexts.of(
                source, LetterCase.LOWER, new Bounds(Integer.MAX_VALUE, 300_000, ASKERS), SEED, UNHEARD);
    }

    /** Edited copies of the first ones are at the end. */
    private static List<String> texts() {
        List<String> texts = new ArrayList<>(Generated.documents(DOCUMENTS, 1));
        for (int i = 0; i < COPIES; i++) {
            texts.add(texts.get(i) + " and some more words for number " + i);
        }
        return texts;
    }
}
