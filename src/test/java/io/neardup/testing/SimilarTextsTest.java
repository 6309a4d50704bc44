package io.neardup.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.SimilarTexts.Pair;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SimilarTextsTest {
    private static final int SHINGLE = 9;

    @Test
    void shouldFindThePairsThatComparingAllWithAllFinds() {
        List<String> texts = NewsFeed.generate(150, 1).stream().map(News::text).toList();

        Set<Pair> found = new SimilarTexts(texts, SHINGLE).pairs(0.5);

        assertThat(found).hasSizeGreaterThan(20).isEqualTo(allWithAll(texts, 0.5));
    }

    private static Set<Pair> allWithAll(List<String> texts, double threshold) {
        List<Set<String>> sets = texts.stream().map(SimilarTextsTest::shingles).toList();
        Set<Pair> pairs = new HashSet<>();
        for (int later = 0; later < sets.size(); later++) {
            for (int first = 0; first < later; first++) {
                Set<String> common = new HashSet<>(sets.get(first));
                common.retainAll(sets.get(later));
                int union = sets.get(first).size() + sets.get(later).size() - common.size();
                if (common.size() / (double) union >= threshold) {
                    pairs.add(new Pair(first, later));
                }
            }
        }
        return pairs;
    }

    private static Set<String> shingles(String text) {
        return IntStream.rangeClosed(SHINGLE, text.length())
                .mapToObj(end -> text.substring(end - SHINGLE, end))
                .collect(Collectors.toSet());
    }
}
