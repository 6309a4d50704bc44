package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.Shingling;
import io.neardup.record.Document;
import io.neardup.record.RawText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PairPoolTest {
    private static final int TEXTS = 200;
    private static final List<String> SHINGLES = List.of("char:9", "word:1");

    @Test
    void shouldCountAsManyPairsAsThereAre() {
        PairPool pool = pool(Long.MAX_VALUE);
        double all = TEXTS * (TEXTS - 1) / 2.0;

        assertThat(pool.size()).isBetween((int) all / 4, (int) all - 1);
        assertThat(pool.counts(0).pairs()).isCloseTo(all, within(0.01 * all));
    }

    @Test
    void shouldTellFromWhereOnPairsWereLookedForWhereTooManyAreAlike() {
        PairPool whole = pool(Long.MAX_VALUE);
        PairPool bounded = pool(50_000);
        PairPool none = pool(1);

        assertThat(whole.floor(1)).isEqualTo(PairPool.FLOOR);
        assertThat(whole.isWhole()).isTrue();
        assertThat(bounded.floor(1)).isBetween(0.14, 0.96);
        assertThat(bounded.isWhole()).isFalse();
        assertThat(none.floor(1)).isOne();
        assertThat(none.size()).isZero();
    }

    private static PairPool pool(long stepsMax) {
        List<Document> documents = new ArrayList<>();
        for (String text : Generated.documents(TEXTS, 1)) {
            documents.add(new Document("d" + documents.size(), RawText.of(text), ""));
        }
        return PairPool.of(documents, new Shingling(LetterCase.LOWER, "char:9"), SHINGLES, stepsMax, text -> {});
    }

    // ---- which pairs it keeps

    @Test
    void shouldKeepTheMostSimilarPairsWithinItsBound() {
        SplittableRandom random = new SplittableRandom(1);
        double[] similarities = random.doubles(5_000).toArray();
        TopPairs top = new TopPairs(300);
        for (int pair = 0; pair < similarities.length; pair++) {
            top.pair(pair, pair + 1, similarities[pair]);
        }

        List<Long> best = IntStream.range(0, similarities.length)
                .boxed()
                .sorted(Comparator.comparingDouble(pair -> -similarities[pair]))
                .limit(300)
                .map(pair -> (long) pair << Integer.SIZE | pair + 1)
                .toList();
        assertThat(top.keys()).containsExactlyInAnyOrder(best.stream().toArray(Long[]::new));
    }

    @Test
    void shouldLeaveOutEquallySimilarOnesThatDoNotFit() {
        TopPairs top = new TopPairs(2);
        top.pair(0, 1, 0.9);
        top.pair(0, 2, 0.5);
        top.pair(0, 3, 0.5);

        assertThat(top.keys()).containsExactly(1L);
    }
}
