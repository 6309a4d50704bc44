package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EditScaleTest {
    private static final int WORDS = 12_000;

    @ParameterizedTest
    @CsvSource({"char:5,0.78", "char:7,0.74", "char:9,0.7", "char:12,0.64", "word:1,0.85", "word:2,0.72", "word:3,0.61"
    })
    void shouldTellWhatStandsForTheSameEditing(String shingle, double threshold) {
        assertThat(EditScale.equivalent("char:9", 0.7, shingle)).isEqualTo(threshold);
    }

    @Test
    void shouldStayAboveNothing() {
        assertThat(EditScale.equivalent("char:5", 0.1, "word:3")).isEqualTo(0.01);
        assertThat(EditScale.equivalent("char:5", 1, "word:3")).isEqualTo(1);
    }

    /** The replaced words stand so far apart that no shingle holds two of them, as the scale takes it. */
    @ParameterizedTest
    @CsvSource({"char:5", "char:9", "char:12", "word:1", "word:3", "word:1..3"})
    void shouldAgreeWithTextsOfWhichWordsAreReplaced(String kind) {
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder original = new StringBuilder();
        StringBuilder edited = new StringBuilder();
        for (int i = 0; i < WORDS; i++) {
            String word = word(random);
            original.append(word).append(' ');
            edited.append(i % 20 == 10 ? word(random) : word).append(' ');
        }

        double similarity =
                similarity(kind, original.toString().strip(), edited.toString().strip());

        assertThat(EditScale.editedWords(kind, similarity)).isCloseTo(1 / 20.0, within(0.004));
    }

    private static String word(SplittableRandom random) {
        StringBuilder word = new StringBuilder();
        random.ints(5, 'a', 'z' + 1).forEach(word::appendCodePoint);
        return word.toString();
    }

    private static double similarity(String kind, String a, String b) {
        return set(kind, a).jaccard(set(kind, b));
    }

    private static ShingleSet set(String kind, String text) {
        Shingles shingles = new Shingles();
        Shingler.of(kind, 1).shingle(text, shingles);
        return ShingleSet.of(shingles);
    }
}
