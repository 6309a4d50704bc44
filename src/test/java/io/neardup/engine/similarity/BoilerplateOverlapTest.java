package io.neardup.engine.similarity;

import static io.neardup.engine.similarity.RandomTexts.bigText;
import static io.neardup.engine.similarity.RandomTexts.edited;
import static io.neardup.engine.similarity.RandomTexts.randomText;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.BoilerplateFilter;
import io.neardup.engine.text.CommonSets;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NaiveShingles;
import io.neardup.engine.text.Shingling;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BoilerplateOverlapTest {
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

    /** Texts of some hundred shingles, so that comparisons can end early; of some all but a few are common. */
    @ParameterizedTest
    @EnumSource
    void shouldGiveUpAndRuleOutOnlyWhatIsBelowTheThreshold(Measure measure) {
        SplittableRandom random = new SplittableRandom(7);
        String menu = bigText(400);
        SimilarityJudge judge = judge("char:5", Set.copyOf(NaiveShingles.of("char:5", menu)), measure);
        int givenUp = 0;
        int ruledOut = 0;
        for (int i = 0; i < 500; i++) {
            String story = bigText(random.nextInt(i % 2 == 0 ? 40 : 900), random);
            String other = bigText(random.nextInt(i % 3 == 0 ? 40 : 900), random);
            Evidence first = ExactJudge.evidence(menu.substring(random.nextInt(400)) + story);
            Evidence second = ExactJudge.evidence(menu.substring(random.nextInt(400))
                    + other
                    + story.substring(0, random.nextInt(story.length() + 1)));
            Similarity exact = judge.similarity(first, second);
            BitmapFilter ofSecond = judge.bitmap(second).orElseThrow();
            for (double threshold : new double[] {0.05, 0.3, 0.7, 0.95, exact.value()}) {
                Similarity found = judge.similarity(first, second, threshold);
                boolean isRuledOut = judge.bitmapOfFirst(first).orElseThrow().isBelow(threshold, ofSecond);

                if (exact.value() >= threshold) {
                    assertThat(found).isEqualTo(exact);
                    assertThat(isRuledOut).isFalse();
                } else {
                    assertThat(found.value()).isLessThan(threshold);
                    givenUp += found.equals(exact) ? 0 : 1;
                    ruledOut += isRuledOut ? 1 : 0;
                }
            }
        }
        assertThat(givenUp).isGreaterThan(200);
        assertThat(ruledOut).isGreaterThan(200);
    }

    @Test
    void shouldKnowTheWholeOfTextsThatAreTheSame() {
        SimilarityJudge judge = judge("word:1", Set.of(List.of("menu")), Measure.JACCARD);
        Evidence empty = ExactJudge.evidence("");
        assertThat(judge.similarity(ExactJudge.evidence("menu and a story"), ExactJudge.evidence("menu and a story")))
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
        BoilerplateFilter filter = shingling
                .without(CommonSets.of(spec, common))
                .boilerplateFilter(SEED)
                .orElseThrow();
        return new ExactOverlap(shingling.shingler(SEED), measure, filter);
    }
}
