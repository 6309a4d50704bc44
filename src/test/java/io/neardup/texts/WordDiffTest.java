package io.neardup.texts;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.texts.Passage.In;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WordDiffTest {
    private static final int ALL = Integer.MAX_VALUE;

    @Test
    void shouldTellWhatBothHaveAndWhatOneHas() {
        assertThat(WordDiff.passages("the cat sat on the mat", "the red cat sat on it", ALL))
                .containsExactly(
                        new Passage(In.BOTH, "the"),
                        new Passage(In.SECOND, "red"),
                        new Passage(In.BOTH, "cat sat on"),
                        new Passage(In.FIRST, "the mat"),
                        new Passage(In.SECOND, "it"));
    }

    @Test
    void shouldTellThatEqualTextsAreShared() {
        assertThat(WordDiff.passages("a b", "a b", ALL)).containsExactly(new Passage(In.BOTH, "a b"));
    }

    /** Any two texts, small vocabularies among them: both can be put together again. */
    @Test
    void shouldKeepEveryWordOfBothInOrder() {
        Random random = new Random(3);
        for (int i = 0; i < 500; i++) {
            String first = words(random, 1 + random.nextInt(40), 1 + random.nextInt(20));
            String second = words(random, 1 + random.nextInt(40), 1 + random.nextInt(20));

            List<Passage> passages = WordDiff.passages(first, second, ALL);

            assertThat(without(passages, In.SECOND)).isEqualTo(first);
            assertThat(without(passages, In.FIRST)).isEqualTo(second);
        }
    }

    private static String words(Random random, int count, int vocabulary) {
        return IntStream.range(0, count)
                .mapToObj(i -> "w" + random.nextInt(vocabulary))
                .collect(Collectors.joining(" "));
    }

    private static String without(List<Passage> passages, In in) {
        return passages.stream()
                .filter(passage -> passage.in() != in)
                .map(Passage::words)
                .collect(Collectors.joining(" "));
    }

    @Test
    void shouldCompareSoManyWordsFromTheFirstThatDiffersAndSayThatThereAreMore() {
        assertThat(WordDiff.passages("a b c old d e f g", "a b c new d e f g", 3))
                .containsExactly(
                        new Passage(In.BOTH, "a b c"),
                        new Passage(In.FIRST, "old"),
                        new Passage(In.SECOND, "new"),
                        new Passage(In.BOTH, "d e"),
                        new Passage(In.REST, ""));
    }

    /** What one has more moves the rest behind the end of what is compared. */
    @Test
    void shouldNotTakeWhatLiesBehindTheEndForWhatOneTextAloneHas() {
        assertThat(WordDiff.passages("a b c d e", "x a b c d e", 3))
                .containsExactly(new Passage(In.SECOND, "x"), new Passage(In.BOTH, "a b"), new Passage(In.REST, ""));
    }

    @Test
    @Timeout(20)
    void shouldTakeLittleTimeWhereTextsHaveNothingInCommon() {
        String first = IntStream.range(0, 20_000).mapToObj(i -> "a" + i).collect(Collectors.joining(" "));

        assertThat(WordDiff.passages(first, first.replace('a', 'b'), 400)).hasSize(3);
    }
}
