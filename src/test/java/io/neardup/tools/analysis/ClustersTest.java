package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.Shingler;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClustersTest {
    private static final int CHAIN = 64;
    private static final int WORDS = 20;
    private static final Shingler WORD = Shingler.of("word:1", 1);

    @ParameterizedTest
    @CsvSource({2 * CHAIN + ", 1", CHAIN / 2 + ", " + CHAIN})
    void shouldTakeApartWhatHoldsMoreThanHalfOfAll(int others, int clustersOfChain) {
        assertThat(Clusters.of(texts(others), WORD, Long.MAX_VALUE).orElseThrow())
                .hasSize(others + clustersOfChain);
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
