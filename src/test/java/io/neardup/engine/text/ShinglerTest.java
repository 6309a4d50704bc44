package io.neardup.engine.text;

import static io.neardup.engine.text.ShingleLists.hashes;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShinglerTest {
    private static final long SEED = 0x5EED;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "char:1", "char:5", "char:9", "char:64", "word:1", "word:2", "word:3",
                "word:64", "word:1..3", "word:3..10", "word:57..64", "stopword:2", "stopword:3", "stopword:64"
            })
    void shouldHashAlikeExactlyWhatIsAlike(String spec) {
        SplittableRandom random = new SplittableRandom(spec.hashCode());
        Map<List<String>, Long> hashes = new HashMap<>();
        Shingler shingler = Shingler.of(spec, SEED);
        Shingles ofBytes = new Shingles();
        for (int i = 0; i < 600; i++) {
            String raw = NormalizedTextTest.randomText(random, random.nextInt(100));
            // UTF-8 carries no unpaired surrogate.
            String text = NormalizedText.of(new String(raw.getBytes(UTF_8), UTF_8));

            long[] actual = hashes(shingler, text);

            List<List<String>> expected = NaiveShingles.of(spec, text);
            assertThat(actual).as(text).hasSameSizeAs(expected);
            byte[] utf8 = text.getBytes(UTF_8);
            shingler.shingle(Arrays.copyOf(utf8, utf8.length + 10), utf8.length, ofBytes);
            assertThat(Arrays.copyOf(ofBytes.array(), ofBytes.size())).as(text).isEqualTo(actual);
            for (int s = 0; s < actual.length; s++) {
                Long before = hashes.putIfAbsent(expected.get(s), actual[s]);
                assertThat(before == null || before == actual[s]).as(text).isTrue();
            }
        }
        assertThat(new HashSet<>(hashes.values())).hasSameSizeAs(hashes.keySet());
    }

    @Test
    void shouldTakeNoRoomForATextOfTooManyShingles() {
        Shingles shingles = new Shingles(7_972);
        Shingler shingler = Shingler.of("word:1..8", SEED);

        assertThatThrownBy(() -> shingler.shingle("a ".repeat(1_001), shingles))
                .isInstanceOf(Shingles.TooManyException.class)
                .hasMessage("expected a text of at most 7972 shingles, found 7980");
        assertThat(shingles.array()).hasSize(1024);
        shingler.shingle("a ".repeat(1_000), shingles);
        assertThat(shingles.size()).isEqualTo(7_972);
    }

    @Test
    void shouldKeepItsHashes() {
        String text = "na\u00EFve \u65B0\u805E 42 \uD83D\uDE00 caf\u00E9s";
        assertThat(hashes(Shingler.of("char:9", 42), text))
                .startsWith(0x98626C869A2BA65FL, 0x9C2FB6D4E18BA7C3L, 0x9102EDE4697F34F4L)
                .hasSize(11);
        assertThat(hashes(Shingler.of("word:3", 42), text))
                .containsExactly(0x9C636B231F2D28EBL, 0xC8F4F1F15C7DC5CCL, 0xD12FB028E6FDE819L);
        assertThat(hashes(Shingler.of("char:9", 42), "tiny")).containsExactly(0x8901109B3AC3C9E5L);
        assertThat(hashes(Shingler.of("stopword:3", 42), "buy a cat or a dog"))
                .containsExactly(0x8CDCB71BD34E63B0L, 0xA94FD025AD561B06L);
        assertThat(hashes(Shingler.of("stopword:3", 42), "buy cheap cats online"))
                .containsExactly(0xD73A690D6651643BL);
    }

    @ParameterizedTest
    @CsvSource({"word:2..2,word:2", "word:1..3,word:1 word:2 word:3", "word:4..5,word:4 word:5"})
    void shouldHashRunsOfEachLengthAsThatLengthAlone(String spec, String lengths) {
        String text = "the red cat sat on the mat, the red cat";

        assertThat(hashes(Shingler.of(spec, SEED), text))
                .containsExactly(Arrays.stream(lengths.split(" "))
                        .flatMapToLong(length -> LongStream.of(hashes(Shingler.of(length, SEED), text)))
                        .toArray());
    }

    /** What each text hashes to by itself. */
    private static long[] alone(String spec, String... texts) {
        Shingler shingler = Shingler.of(spec, SEED);
        return Stream.of(texts).mapToLong(text -> hashes(shingler, text)[0]).toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7})
    void shouldFindStopWordsOfAnyScriptInAnyCase(int k) {
        StopWords stopWords = StopWords.of(
                List.of("the", "A", "\u00C9t\u00E9", "\u03C3\u03B1\u03C2", "\u7684", "\uD801\uDC00", "\u1F80", "x1"));
        String[] words = {
            "the", "The", "THE", "then",
            "a", "A", "\u00E9t\u00E9", "\u00C9T\u00C9",
            "\u03A3\u0391\u03A3", "\u03C3\u03B1\u03C2", "\u7684", "\u65B0",
            "\uD801\uDC00", "\uD801\uDC28", "\u1F88", "X1",
            "42", "\u017Fo", "\u0130l"
        };
        SplittableRandom random = new SplittableRandom(k);
        Shingler shingler = Shingler.of("stopword:" + k, stopWords, SEED);
        for (int i = 0; i < 500; i++) {
            String text = Stream.generate(() -> words[random.nextInt(words.length)])
                    .limit(random.nextInt(2 * k, 60))
                    .collect(Collectors.joining(random.nextBoolean() ? " " : "-'"));
            List<List<String>> naive = NaiveShingles.of("stopword:" + k, text, stopWords);

            assertThat(hashes(shingler, text))
                    .as(text)
                    .containsExactly(alone(
                            "word:" + k,
                            naive.stream()
                                    .map(shingle -> String.join(" ", shingle))
                                    .toArray(String[]::new)));
        }
    }

    @Test
    void shouldTellTextsWithoutStopWordsApart() {
        Shingler shingler = Shingler.of("stopword:3", StopWords.of(List.of("the")), SEED);
        String text = thueMorse(2_048, "buy ", "sell ");
        String swapped = thueMorse(2_048, "sell ", "buy ");
        assertThat(hashes(shingler, text)).hasSize(1).isNotEqualTo(hashes(shingler, swapped));
    }

    @Test
    void shouldHashOtherwiseUnderAnotherSeedOrKind() {
        List<Long> hashes = new ArrayList<>();
        for (String spec : List.of("char:3", "char:4", "word:1", "word:2")) {
            for (long seed = 0; seed < 4; seed++) {
                LongStream.of(hashes(Shingler.of(spec, seed), "abcd")).forEach(hashes::add);
            }
        }
        // A single token is one shingle of word:1 and the whole text of word:2: the hashes may agree.
        assertThat(new HashSet<>(hashes)).hasSizeBetween(hashes.size() - 4, hashes.size());
    }

    /**
     * Words that collide in any polynomial mod 2^64 of plain characters, once they are long enough: Thue-Morse words.
     */
    @Test
    void shouldTellThueMorseWordsApart() {
        Set<Long> hashes = new HashSet<>();
        for (long seed = 0; seed < 400; seed++) {
            Shingler shingler = Shingler.of("char:64", seed);
            for (String letter : List.of("a", "b", "c", "d", "e")) {
                hashes.add(hashes(shingler, thueMorse(64, letter, "z"))[0]);
                hashes.add(hashes(shingler, thueMorse(64, "z", letter))[0]);
            }
        }
        assertThat(hashes).hasSize(2 * 5 * 400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "char", "char:", "char:0", "char:65", "char:-1",
                "char:09", "char:999", "Char:9", "line:2", "word:3 ", "word:0..2",
                "word:3..2", "word:1..9", "word:60..65", "word:1..", "word:..3", "char:5..9",
                "stopword:1", "stopword:65", "stopword:2..3"
            })
    void shouldRefuseUnknownSpecs(String spec) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Shingler.of(spec, SEED))
                .withMessageContaining("'" + spec + "'")
                .withMessageContaining("expected char:k or word:k with k from 1 to 64");
    }

    private static String thueMorse(int length, String zero, String one) {
        return IntStream.range(0, length)
                .mapToObj(i -> Integer.bitCount(i) % 2 == 0 ? zero : one)
                .collect(Collectors.joining());
    }

    // ---- specs

    @ParameterizedTest
    @CsvSource({
        "char:9, CHAR, 9, 9, char:9",
        "word:64, WORD, 64, 64, word:64",
        "word:1..8, WORD, 1, 8, word:1..8",
        "word:2..2, WORD, 2, 2, word:2",
        "stopword:3, STOPWORD, 3, 3, stopword:3"
    })
    void shouldReadSpecs(String written, ShingleSpec.Kind kind, int min, int max, String name) {
        ShingleSpec spec = ShingleSpec.of(written);

        assertThat(spec).isEqualTo(new ShingleSpec(kind, min, max)).hasToString(name);
        assertThat(spec.usesStopWords()).isEqualTo(kind == ShingleSpec.Kind.STOPWORD);
        assertThat(spec.version()).isEqualTo(1);
        assertThat(ShingleSpec.isValid(written)).isTrue();
    }
}
