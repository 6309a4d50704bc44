package io.neardup.engine.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
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

    @Test
    void shouldJoinLanguages() {
        List<String> all = StopWords.languages();
        assertThat(all).containsExactly("en", "de", "fr", "es", "pt", "it", "nl");
        assertThat(StopWords.all().words())
                .hasSameElementsAs(all.stream()
                        .flatMap(language -> StopWords.of(language).words().stream())
                        .toList());
        assertThat(StopWords.all()).isEqualTo(StopWords.of(all.toArray(new String[0])));
        assertThat(StopWords.of("en", "nl")).isEqualTo(StopWords.of("nl", "en", "nl"));
    }

    @Test
    void shouldBringWordsIntoNormalizedForm() {
        StopWords words = StopWords.of(List.of(" The", "e\u0301te\u0301", "\u7684", "of", "OF"));

        assertThat(words.words()).containsExactly("of", "the", "\u00E9t\u00E9", "\u7684");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            of,' '|Stop word 2, '': expected a single token
            of,a,don't|Stop word 3, 'don't': expected a single token
            The Cat|Stop word 1, 'the cat': expected a single token
            ?|Stop word 1, '?': expected a single token
            \u3053\u3068|Stop word 1, '\u3053\u3068': expected a single token
            """)
    void shouldRefuseWhatIsNoToken(String words, String message) {
        List<String> given =
                Arrays.stream(words.split(",")).map(w -> w.replace("' '", " ")).toList();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> StopWords.of(given))
                .withMessageStartingWith(message);
    }

    /** Pinned: an index knows its words by the fingerprint. */
    @Test
    void shouldKeepItsFingerprint() {
        assertThat(StopWords.of(List.of("the", "a")).fingerprint())
                .isEqualTo("11a3ae8f8ec6aadf")
                .isEqualTo(StopWords.of(List.of("A", "the", "a")).fingerprint());
    }

    // ---- letters in any case

    @Test
    void shouldTakeForAlikeWhatStringsDo() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 200_000; i++) {
            int a = random.nextInt(i % 2 == 0 ? 0x600 : 0x1FFFF);
            int b = i % 3 == 0
                    ? Character.toUpperCase(a)
                    : i % 3 == 1 ? Character.toLowerCase(a) : random.nextInt(0x600);

            boolean alike = Tokens.CaseFold.of(a) == Tokens.CaseFold.of(b);

            assertThat(alike)
                    .as("%x %x", a, b)
                    .isEqualTo(Character.toString(a).equalsIgnoreCase(Character.toString(b)));
        }
    }

    /** Otherwise a text would change its tokens by losing its capitals. */
    @Test
    void shouldLeaveTokensWhereTheyAre() {
        assertThat(IntStream.rangeClosed(0, Character.MAX_CODE_POINT))
                .allMatch(c -> TokenChars.typeOf(Tokens.CaseFold.of(c)) == TokenChars.typeOf(c));
    }
}
