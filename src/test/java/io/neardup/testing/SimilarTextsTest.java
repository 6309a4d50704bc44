package io.neardup.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.SimilarTexts.Pair;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimilarTextsTest {
    @Test
    void shouldFindThePairsThatComparingAllWithAllFinds() {
        List<String> texts = NewsFeed.generate(150, 1).stream().map(News::text).toList();

        Set<Pair> found = new SimilarTexts(texts, Judge.SHINGLE).pairs(0.5);

        assertThat(found).hasSizeGreaterThan(20).isEqualTo(allWithAll(texts, 0.5));
    }

    private static Set<Pair> allWithAll(List<String> texts, double threshold) {
        List<Set<String>> sets = texts.stream().map(Judge::shingles).toList();
        Set<Pair> pairs = new HashSet<>();
        for (int later = 0; later < sets.size(); later++) {
            for (int first = 0; first < later; first++) {
                if (Judge.jaccard(sets.get(first), sets.get(later)) >= threshold) {
                    pairs.add(new Pair(first, later));
                }
            }
        }
        return pairs;
    }
}
