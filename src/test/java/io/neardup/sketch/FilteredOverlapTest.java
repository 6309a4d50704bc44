package io.neardup.sketch;

import static io.neardup.sketch.RandomTexts.edited;
import static io.neardup.sketch.RandomTexts.randomText;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.text.CommonFilter;
import io.neardup.text.CommonSets;
import io.neardup.text.LetterCase;
import io.neardup.text.NaiveShingles;
import io.neardup.text.Shingling;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilteredOverlapTest {
    private static final long SEED = 0x5EED;

    /** Of some texts too little is left, so they are kept whole: one of a pair, or both. */
    @ParameterizedTest
    @ValueSource(strings = {"char:3", "char:9", "word:1", "word:2..3"})
    void shouldEqualTheSimilaritiesOfSetsOfStrings(String spec) {
        SplittableRandom random = new SplittableRandom(spec.hashCode());
        int[] keptWhole = new int[3];
        for (int i = 0; i < 60; i++) {
            String first = randomText(random);
            List<String> others = List.of(edited(first, random), edited(first, random), randomText(random));
            Set<List<String>> common = someOf(spec, Stream.concat(Stream.of(first), others.stream()), random);
            SimilarityJudge judge = judge(spec, common, Measure.JACCARD);
            SimilarityJudge byContainment = judge(spec, common, Measure.CONTAINMENT);
            Set<List<String>> a = CommonSets.left(spec, first, common);
            for (String second : others) {
                Set<List<String>> b = CommonSets.left(spec, second, common);
                Evidence of = ExactJudge.evidence(first);
                Evidence other = ExactJudge.evidence(second);

                Similarity similarity = judge.similarity(of, other);

                double whole = NaiveShingles.jaccard(spec, first, second);
                Set<List<String>> shared = new HashSet<>(a);
                shared.retainAll(b);
                double inFirst = share(shared.size(), a.size());
                double inSecond = share(shared.size(), b.size());
                double jaccard = share(shared.size(), a.size() + b.size() - shared.size());
                assertThat(similarity).isEqualTo(new Similarity(jaccard, inFirst, inSecond, whole));
                assertThat(judge.whole(of, other)).isEqualTo(whole);
                assertThat(byContainment.similarity(of, other).value()).isEqualTo(Math.max(inFirst, inSecond));
                assertThat(judge(spec, common, Measure.JACCARD).similarity(other, of))
                        .isEqualTo(similarity.reversed());
                keptWhole[isKeptWhole(a, common) + isKeptWhole(b, common)]++;
            }
        }
        assertThat(keptWhole)
                .as("pairs with no text, one text and two texts kept whole")
                .doesNotContain(0);
    }

    @Test
    void shouldKnowTheWholeOfTextsThatAreTheSame() {
        SimilarityJudge judge = judge("word:1", Set.of(List.of("menu")), Measure.JACCARD);
        Evidence text = ExactJudge.evidence("menu and a story");
        Evidence empty = ExactJudge.evidence("");

        assertThat(judge.similarity(text, ExactJudge.evidence("menu and a story")))
                .isEqualTo(new Similarity(1, 1, 1, 1));
        assertThat(judge.similarity(empty, empty)).isEqualTo(Similarity.NONE);
    }

    private static double share(int part, int all) {
        return all == 0 ? 0 : part / (double) all;
    }

    private static int isKeptWhole(Set<List<String>> left, Set<List<String>> common) {
        return left.stream().anyMatch(common::contains) ? 1 : 0;
    }

    private static Set<List<String>> someOf(String spec, Stream<String> texts, SplittableRandom random) {
        int oneIn = 1 + random.nextInt(5);
        return texts.flatMap(text -> NaiveShingles.of(spec, text).stream())
                .filter(shingle -> CommonSets.isShingle(spec, shingle) && random.nextInt(oneIn) == 0)
                .collect(toSet());
    }

    private static SimilarityJudge judge(String spec, Set<List<String>> common, Measure measure) {
        Shingling shingling = new Shingling(LetterCase.LOWER, spec);
        CommonFilter filter = shingling
                .without(CommonSets.of(spec, common))
                .commonFilter(SEED)
                .orElseThrow();
        return new FilteredOverlap(shingling.shingler(SEED), measure, filter);
    }
}
