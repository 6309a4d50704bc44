package io.neardup.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.TokenChars;
import io.neardup.service.http.DuplicateTexts.Copy;
import io.neardup.service.http.DuplicateTexts.Pair;
import io.neardup.service.http.DuplicateTexts.TextWindow;
import io.neardup.service.http.WordDiff.Passage;
import io.neardup.service.http.WordDiff.Passage.In;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextWindowTest {
    private final TextWindow window = new TextWindow(LetterCase.LOWER);

    private void duplicate(String id, String originalId) {
        window.duplicate(copy(id, originalId), "text of " + id, true);
    }

    private static Copy copy(String id, String originalId) {
        return new Copy(id, originalId, "documents-0-17", "Harbour Courier", 1_000, 0.8);
    }

    /** What has left under that id is another document. */
    @Test
    void shouldShowNoOriginalWhereThatIsOfASeed() {
        window.unique("a", "The cat");
        window.duplicate(copy("b", "a"), "The cat sat", false);

        assertThat(window.pairs()).isEmpty();
        assertThat(window.copies("documents-0-17")).containsExactly(new Pair(copy("b", "a"), List.of()));
    }

    @Test
    void shouldShowADuplicateBesideItsOriginalAsTheyAreCompared() {
        window.unique("a", "The  cat");
        window.duplicate(copy("b", "a"), "The CAT\u202E sat", true);

        assertThat(window.pairs())
                .containsExactly(new Pair(
                        copy("b", "a"),
                        List.of(
                                new Passage(In.BOTH, List.of(" the")),
                                new Passage(In.FIRST, List.of(" cat")),
                                new Passage(In.SECOND, List.of(" cat<U+202E>", " sat")))));
    }

    @Test
    void shouldShowTheLatestThatHaveAnOriginalAlsoWhereThatIsReadLater() {
        duplicate("b", "a");
        assertThat(window.pairs()).isEmpty();

        window.unique("a", "text of a");
        for (int i = 0; i < TextWindow.PAIRS_MAX; i++) {
            duplicate("without-" + i, "gone");
        }
        duplicate("with-2", "a");

        assertThat(window.pairs()).extracting(pair -> pair.copy().id()).containsExactly("with-2", "b");
    }

    @Test
    void shouldTellTheCopiesOfOneStoryTheLatestFirst() {
        window.unique("a", "text of a");
        duplicate("first", "a");
        window.duplicate(new Copy("other", "b", "documents-0-18", "", 1_000, 0.9), "text of b", true);
        duplicate("second", "a");

        assertThat(window.copies("documents-0-17"))
                .extracting(pair -> pair.copy().id())
                .containsExactly("second", "first");
        assertThat(window.copies("documents-0-17"))
                .noneMatch(pair -> pair.passages().isEmpty());
        assertThat(window.copies("documents-0-19")).isEmpty();
    }

    @Test
    void shouldShowNoTextOfAnIdThatCameWithTwo() {
        window.unique("a", "text of a");
        window.unique("a", "text of a");
        duplicate("b", "a");
        assertThat(window.pairs()).hasSize(1);

        window.unique("a", "another");
        window.unique("a", "another");

        assertThat(window.pairs()).isEmpty();
        assertThat(window.copies("documents-0-17")).singleElement().returns(List.of(), Pair::passages);
    }

    @Test
    void shouldForgetTheOldestOriginals() {
        for (int i = 0; i <= TextWindow.ORIGINALS_MAX; i++) {
            window.unique("n" + i, "text");
        }
        duplicate("of-first", "n0");
        duplicate("of-second", "n1");

        assertThat(window.pairs()).extracting(pair -> pair.copy().id()).containsExactly("of-second");
    }

    @Test
    void shouldKeepTheBeginningOfALongTextAndFewLongOnes() {
        String longText = "w ".repeat(TextWindow.TEXT_CHARS_MAX);
        for (int i = 0; i <= 400; i++) {
            window.unique("n" + i, longText);
        }
        window.duplicate(copy("of-first", "n0"), longText, true);
        window.duplicate(copy("of-last", "n400"), longText, true);

        assertThat(window.pairs()).hasSize(1);
        int words = window.pairs().get(0).passages().stream()
                .mapToInt(passage -> passage.words().size())
                .sum();
        assertThat(words).isEqualTo(TextWindow.TEXT_CHARS_MAX / 2);
    }

    @Test
    void shouldKeepFewDuplicates() {
        duplicate("first", "a");
        for (int i = 0; i < TextWindow.DUPLICATES_MAX; i++) {
            duplicate("n" + i, "gone");
        }
        window.unique("a", "text of a");

        assertThat(window.pairs()).extracting(pair -> pair.copy().id()).doesNotContain("first");
    }

    // ---- where two texts differ

    private static final int ALL = Integer.MAX_VALUE;

    private static final String[] LETTERS = {"w", "0", "語", "น", "か-", "的 "};

    private static List<String> passages(String first, String second, int wordsMax) {
        return WordDiff.passages(first, second, wordsMax, ALL / 4).stream()
                .map(passage -> passage.in() + passage.text())
                .toList();
    }

    @Test
    void shouldTellWhatBothHaveAndWhatOneHas() {
        assertThat(passages("the cat sat on the mat", "the red cat sat on it", ALL))
                .containsExactly("BOTH the", "SECOND red", "BOTH cat sat on", "FIRST the mat", "SECOND it");
    }

    @ParameterizedTest
    @CsvSource({
        "新聞社は東京にある, 新聞社は大阪にある, BOTH新聞社は|FIRST東京|SECOND大阪|BOTHにある",
        "天气很好，我们去公园。, 天气不好，我们去公园。, BOTH天气|FIRST很|SECOND不|BOTH好，我们去公园。",
        "แมวนั่งบนเสื่อ, แมวนอนบนเสื่อ, BOTHแมวน|FIRSTั่ง|SECONDอน|BOTHบนเสื่อ",
        "カメラ A7 を買う, カメラ B9 を買う, BOTHカメラ|FIRST A7|SECOND B9|BOTH を買う",
        "买 iPhone手机, 买 Pixel手机, BOTH买|FIRST iPhone|SECOND Pixel|BOTH手机",
        "東京, 東 京, BOTH東|FIRST京|SECOND 京",
    })
    void shouldCompareTheCharactersOfScriptsWithoutSpaces(String first, String second, String expected) {
        assertThat(String.join("|", passages(first, second, ALL))).isEqualTo(expected);
    }

    /** Any two texts, small vocabularies among them: both can be put together again. */
    @Test
    void shouldKeepEveryWordOfBothInOrder() {
        Random random = new Random(3);
        for (int i = 0; i < 500; i++) {
            String first = words(random, 1 + random.nextInt(40), 1 + random.nextInt(20));
            String second = words(random, 1 + random.nextInt(40), 1 + random.nextInt(20));

            List<Passage> passages = WordDiff.passages(first, second, ALL, i % 5);

            assertThat(without(passages, In.SECOND)).isEqualTo(first);
            assertThat(without(passages, In.FIRST)).isEqualTo(second);
        }
    }

    /** As word shingles take it. */
    @Test
    void shouldTakeEachCharacterOfAScriptWithoutSpacesForAWord() {
        assertThat(IntStream.range('!', 0x32_000)
                        .filter(codePoint -> !Character.isSurrogate((char) codePoint) || codePoint > 0xffff)
                        .filter(codePoint -> count("x" + Character.toString(codePoint) + "y")
                                != (TokenChars.isAlone(codePoint) ? 3 : 1)))
                .isEmpty();
    }

    private static int count(String text) {
        return WordDiff.passages(text, text, ALL, 0).get(0).words().size();
    }

    private static String words(Random random, int count, int vocabulary) {
        return IntStream.range(0, count)
                .mapToObj(i -> LETTERS[random.nextInt(LETTERS.length)] + random.nextInt(vocabulary))
                .collect(Collectors.joining(" "))
                .replace(" 0", "");
    }

    private static String without(List<Passage> passages, In in) {
        return passages.stream()
                .filter(passage -> passage.in() != in)
                .map(Passage::text)
                .collect(Collectors.joining())
                .strip();
    }

    @Test
    void shouldCompareSoManyWordsFromTheFirstThatDiffersAndSayThatThereAreMore() {
        assertThat(passages("a b c old d e f g", "a b c new d e f g", 3))
                .containsExactly("BOTH a b c", "FIRST old", "SECOND new", "BOTH d e", "REST");
    }

    /** What one has more moves the rest behind the end of what is compared. */
    @Test
    void shouldNotTakeWhatLiesBehindTheEndForWhatOneTextAloneHas() {
        assertThat(passages("a b c d e", "x a b c d e", 3)).containsExactly("SECOND x", "BOTH a b", "REST");
    }

    @Test
    void shouldShowSharedWordsBesideWhatDiffersAndCountTheOthers() {
        String start = "字".repeat(10);

        List<Passage> passages = WordDiff.passages(start + "古" + start + "い", start + "新" + start + "い", ALL, 3);

        assertThat(passages)
                .extracting(Passage::in)
                .containsExactly(In.BOTH_UNSHOWN, In.BOTH, In.FIRST, In.SECOND, In.BOTH, In.BOTH_UNSHOWN);
        assertThat(passages).extracting(passage -> passage.words().size()).containsExactly(7, 3, 1, 1, 3, 8);
    }

    @Test
    @Timeout(120)
    void shouldTakeLittleTimeWhereTextsHaveNothingInCommon() {
        String first = IntStream.range(0, 20_000).mapToObj(i -> "a" + i).collect(Collectors.joining(" "));

        assertThat(passages(first, first.replace('a', 'b'), 400)).hasSize(3);
    }
}
