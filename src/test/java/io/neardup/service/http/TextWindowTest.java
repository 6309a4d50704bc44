package io.neardup.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.LetterCase;
import io.neardup.service.http.DuplicateTexts.Pair;
import io.neardup.service.http.DuplicateTexts.TextWindow;
import io.neardup.service.http.WordDiff.Passage;
import io.neardup.service.http.WordDiff.Passage.In;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextWindowTest {
    private final TextWindow window = new TextWindow(LetterCase.LOWER);

    private void duplicate(String id, String originalId) {
        window.duplicate(id, originalId, 0.8, "text of " + id);
    }

    @Test
    void shouldShowADuplicateBesideItsOriginalAsTheyAreCompared() {
        window.unique("a", "The  cat");
        window.duplicate("b", "a", 0.8, "The CAT\u202E sat");

        assertThat(window.pairs())
                .containsExactly(new Pair(
                        "b",
                        "a",
                        0.8,
                        List.of(
                                new Passage(In.BOTH, List.of(" the")),
                                new Passage(In.FIRST, List.of(" cat")),
                                new Passage(In.SECOND, List.of(" cat<U+202E>", " sat")))));
    }

    @Test
    void shouldCompareADuplicateWhoseOriginalIsReadLater() {
        duplicate("b", "a");
        assertThat(window.pairs()).singleElement().satisfies(pair -> assertThat(pair.passages())
                .isEmpty());

        window.unique("a", "text of a");

        assertThat(window.pairs()).singleElement().satisfies(pair -> assertThat(pair.passages())
                .isNotEmpty());
    }

    @Test
    void shouldShowThoseWithAnOriginalFirstOfAllAndTheLatestOnTop() {
        window.unique("a", "text of a");
        duplicate("with-1", "a");
        for (int i = 0; i < 20; i++) {
            duplicate("without-" + i, "gone");
        }
        duplicate("with-2", "a");

        assertThat(window.pairs())
                .extracting(Pair::id)
                .containsExactly("with-2", "without-19", "without-18", "without-17", "with-1");
    }

    @Test
    void shouldShowTheLatestOfManyWithAnOriginal() {
        window.unique("a", "text of a");
        for (int i = 0; i < 20; i++) {
            duplicate("with-" + i, "a");
        }

        assertThat(window.pairs())
                .extracting(Pair::id)
                .containsExactly("with-19", "with-18", "with-17", "with-16", "with-15");
        assertThat(window.pairs()).hasSize(TextWindow.PAIRS_MAX);
    }

    @Test
    void shouldForgetTheOldestOriginals() {
        for (int i = 0; i <= TextWindow.ORIGINALS_MAX; i++) {
            window.unique("n" + i, "text");
        }
        duplicate("of-first", "n0");
        duplicate("of-second", "n1");

        assertThat(window.pairs()).extracting(pair -> pair.passages().isEmpty()).containsExactly(false, true);
    }

    @Test
    void shouldKeepTheBeginningOfALongTextAndFewLongOnes() {
        String longText = "w ".repeat(TextWindow.TEXT_CHARS_MAX);
        for (int i = 0; i <= 400; i++) {
            window.unique("n" + i, longText);
        }
        window.duplicate("of-first", "n0", 1, longText);
        window.duplicate("of-last", "n400", 1, longText);

        assertThat(window.pairs().get(1).passages()).isEmpty();
        int words = window.pairs().get(0).passages().stream()
                .mapToInt(passage -> passage.words().size())
                .sum();
        assertThat(words).isEqualTo(TextWindow.TEXT_CHARS_MAX / 2);
    }

    @Test
    void shouldKeepFewDuplicatesWhoseOriginalIsNotThere() {
        duplicate("first", "a");
        for (int i = 0; i < TextWindow.WAITING_MAX; i++) {
            duplicate("n" + i, "gone");
        }
        window.unique("a", "text of a");

        assertThat(window.pairs()).extracting(Pair::id).doesNotContain("first");
    }
}
