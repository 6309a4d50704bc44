package io.neardup.engine.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class StopWordsTest {

    @ParameterizedTest
    @MethodSource("io.neardup.engine.text.StopWords#languages")
    void shouldListNormalizedWordsOnceALanguage(String language) {
        List<String> listed = StopWords.listed(language);

        Set<String> words = StopWords.of(language).words();

        assertThat(words).hasSizeBetween(80, 150).hasSameSizeAs(listed);
        assertThat(StopWords.of(words).words()).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource({"en,the s t", "de,und für", "fr,l d qu c j m n s t à", "es,él y", "pt,não d", "it,l d c è", "nl,het t"})
    void shouldKnowTheWordsOfALanguageAndWhatApostrophesCutOff(String language, String words) {
        assertThat(StopWords.of(language).words()).contains(words.split(" "));
    }

    @Test
    void shouldJoinLanguages() {
        Set<String> union = new TreeSet<>();
        StopWords.languages()
                .forEach(language -> union.addAll(StopWords.of(language).words()));

        assertThat(StopWords.languages()).containsExactly("en", "de", "fr", "es", "pt", "it", "nl");
        assertThat(StopWords.all().words()).isEqualTo(union);
        assertThat(StopWords.all()).isEqualTo(StopWords.of(StopWords.languages().toArray(new String[0])));
        assertThat(StopWords.of("en", "nl")).isEqualTo(StopWords.of("nl", "en", "nl"));
    }

    @Test
    void shouldBringWordsIntoNormalizedForm() {
        StopWords words = StopWords.of(List.of(" The", "e\u0301te\u0301", "\u7684", "of", "OF"));

        assertThat(words.words()).containsExactly("of", "the", "\u00E9t\u00E9", "\u7684");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "of,' '|Stop word 2: expected a word, found a blank",
                "of,a,don't|Stop word 3, 'don't': expected a single token",
                "The Cat|Stop word 1, 'the cat': expected a single token",
                "?|Stop word 1, '?': expected a single token",
                "\u3053\u3068|Stop word 1, '\u3053\u3068': expected a single token",
            })
    void shouldRefuseWhatIsNoToken(String words, String message) {
        List<String> given =
                Arrays.stream(words.split(",")).map(w -> w.replace("' '", " ")).toList();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> StopWords.of(given))
                .withMessageStartingWith(message);
    }

    @Test
    void shouldRefuseToBeEmptyOrOfAnUnknownLanguage() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StopWords.of(List.of()))
                .withMessage("Stop words: expected at least one, found none");
        assertThatIllegalArgumentException()
                .isThrownBy(StopWords::of)
                .withMessage("Languages of stop words: expected at least one, found none");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StopWords.of("en", "xx"))
                .withMessage("Language of stop words 'xx': expected one of en, de, fr, es, pt, it, nl");
    }

    /** Pinned: an index knows its words by the fingerprint. */
    @Test
    void shouldKeepItsFingerprint() {
        assertThat(StopWords.of(List.of("the", "a")).fingerprint())
                .isEqualTo("11a3ae8f8ec6aadf")
                .isEqualTo(StopWords.of(List.of("A", "the", "a")).fingerprint());
    }

    @Test
    void shouldHaveAFingerprintOfItsOwnForOtherWords() {
        Set<String> fingerprints = new HashSet<>();
        StopWords.languages()
                .forEach(language -> fingerprints.add(StopWords.of(language).fingerprint()));
        fingerprints.add(StopWords.all().fingerprint());
        fingerprints.add(StopWords.of(List.of("ab", "c")).fingerprint());
        fingerprints.add(StopWords.of(List.of("a", "bc")).fingerprint());

        assertThat(fingerprints).hasSize(10).allMatch(fingerprint -> fingerprint.matches("[0-9a-f]{16}"));
    }
}
