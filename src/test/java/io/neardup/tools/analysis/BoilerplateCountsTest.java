package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.Shingling;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BoilerplateCountsTest {
    private static final Shingling WORDS = new Shingling(LetterCase.LOWER, "word:3");

    /** Half of the documents hold nothing that is common: they lose nothing, and are not held together by it. */
    @Test
    void shouldTakeDocumentsWithoutBoilerplateForJudgedByWhatIsLeft() {
        assertThat(isLeavingEnough(60)).isTrue();
    }

    @Test
    void shouldSeeDocumentsThatAreHardlyMoreThanBoilerplate() {
        assertThat(isLeavingEnough(18)).isFalse();
    }

    /** @param own words of a document of the template beside the template */
    private static boolean isLeavingEnough(int own) {
        SplittableRandom random = new SplittableRandom(own);
        String template = words(random, 60);
        List<String> texts = IntStream.range(0, 100)
                .mapToObj(i -> i % 2 == 0 ? words(random, 120) : template + " " + words(random, own))
                .toList();
        BoilerplateCounts counts = new BoilerplateCounts(TextLines.texts(texts));
        Shingling filtered = counts.without(WORDS);
        assertThat(filtered.boilerplate()).isNotNull();
        return counts.isLeavingEnough(filtered);
    }

    private static String words(SplittableRandom random, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "w" + random.nextInt(1_000_000))
                .collect(Collectors.joining(" "));
    }
}
