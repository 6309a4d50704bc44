package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimilarPairsTest {
    private static final Shingler WORDS = Shingler.of("word:1", 0);

    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.3, 0.5, 2 / 3.0, 0.7, 0.75, 0.8, 0.9, 1})
    void shouldFindWhatBruteForceFinds(double floor) {
        int found = 0;
        for (long seed = 0; seed < 60; seed++) {
            List<ComparedText> texts = TextLines.texts(drawn(new SplittableRandom(seed)));

            Map<List<Integer>, Double> pairs = joined(texts, floor);

            assertThat(pairs).describedAs("seed %d", seed).isEqualTo(bruteForce(texts, floor));
            found += pairs.size();
        }
        assertThat(found).isGreaterThan(60);
    }

    @Test
    void shouldFindEqualSetsButNoEmptyOnes() {
        assertThat(joined(TextLines.texts(List.of("", "g", "a b c", "", "g", "c b a a", "i")), 0.1))
                .isEqualTo(Map.of(List.of(1, 4), 1.0, List.of(2, 5), 1.0));
        assertThat(joined(List.of(), 0.5)).isEmpty();
    }

    @Test
    void shouldTellASimilarityAtTheFloorItself() {
        List<ComparedText> texts = TextLines.texts(List.of("a b c d e f g", "a b c d e f g h i j"));

        assertThat(joined(texts, 0.7)).isEqualTo(Map.of(List.of(0, 1), 0.7));
        assertThat(joined(texts, Math.nextUp(0.7))).isEmpty();
    }

    /** Families of texts that differ a little, of a vocabulary in which some words are common. */
    private static List<String> drawn(SplittableRandom random) {
        List<String> texts = new ArrayList<>();
        int vocabulary = 1 << random.nextInt(2, 9);
        int[] parent = {};
        for (int text = random.nextInt(2, 40); text > 0; text--) {
            parent = random.nextInt(3) == 0 ? fresh(random, vocabulary) : edited(parent, random, vocabulary);
            texts.add(IntStream.of(parent).mapToObj(word -> "w" + word).collect(Collectors.joining(" ")));
        }
        return texts;
    }

    private static int[] fresh(SplittableRandom random, int vocabulary) {
        return random.doubles(random.nextInt(40))
                .mapToInt(share -> (int) (vocabulary * Math.pow(share, 3)))
                .toArray();
    }

    private static int[] edited(int[] parent, SplittableRandom random, int vocabulary) {
        double share = random.nextDouble(0.4);
        return IntStream.of(parent)
                .map(word -> random.nextDouble() < share ? random.nextInt(vocabulary) : word)
                .toArray();
    }

    private static Map<List<Integer>, Double> joined(List<ComparedText> texts, double floor) {
        Map<List<Integer>, Double> pairs = new HashMap<>();
        boolean isEnough = new SimilarPairs(texts, WORDS, "", text -> {})
                .join(floor, Long.MAX_VALUE, (first, second, jaccard) -> assertThat(
                                pairs.put(List.of(first, second), jaccard))
                        .describedAs("pair told before")
                        .isNull());
        assertThat(isEnough).isTrue();
        return pairs;
    }

    private static Map<List<Integer>, Double> bruteForce(List<ComparedText> texts, double floor) {
        List<ShingleSet> sets = TextLines.sets(texts, WORDS);
        Map<List<Integer>, Double> pairs = new HashMap<>();
        for (int first = 0; first < sets.size(); first++) {
            for (int second = first + 1; second < sets.size(); second++) {
                double jaccard = sets.get(first).jaccard(sets.get(second));
                if (jaccard >= floor) {
                    pairs.put(List.of(first, second), jaccard);
                }
            }
        }
        return pairs;
    }
}
