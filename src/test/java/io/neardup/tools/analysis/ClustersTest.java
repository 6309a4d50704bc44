package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.Shingler;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClustersTest {
    private static final int CHAIN = 64;
    private static final int WORDS = 20;
    private static final Shingler WORD = Shingler.of("word:1", 1);

    @Test
    void shouldStayTheSameWhereNoClusterIsTooLarge() {
        List<ComparedText> texts = texts(2 * CHAIN);

        Clusters clusters = Clusters.of(texts, WORD, Long.MAX_VALUE).orElseThrow();

        assertThat(clusters.members()).hasSize(1 + 2 * CHAIN);
        assertThat(clusters.takenApart(texts, WORD, Long.MAX_VALUE)).containsSame(clusters);
    }

    @Test
    void shouldTakeApartWhatHoldsMoreThanHalfOfAll() {
        List<ComparedText> texts = texts(CHAIN / 2);

        Clusters clusters = Clusters.of(texts, WORD, Long.MAX_VALUE).orElseThrow();

        assertThat(clusters.members()).hasSize(1 + CHAIN / 2);
        assertThat(clusters.takenApart(texts, WORD, Long.MAX_VALUE)
                        .orElseThrow()
                        .members())
                .hasSize(CHAIN + CHAIN / 2);
    }

    /** Each text of the chain is like the next one, with a Jaccard similarity of 17 / 23; the others are unlike all. */
    private static List<ComparedText> texts(int others) {
        List<String> texts = new ArrayList<>();
        for (int text = 0; text < CHAIN; text++) {
            // Neighbours are far from each other, so that the ways to a root are long.
            texts.add(words(3 * (text * 37 % CHAIN), "word"));
        }
        for (int text = 0; text < others; text++) {
            texts.add(words(WORDS * text, "other"));
        }
        return TextLines.texts(texts);
    }

    private static String words(int from, String kind) {
        return IntStream.range(from, from + WORDS).mapToObj(word -> kind + word).collect(Collectors.joining(" "));
    }
}
