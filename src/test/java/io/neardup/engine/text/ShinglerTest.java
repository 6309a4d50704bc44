package io.neardup.engine.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShinglerTest {
    private static final long[] CHAR_9 = {0x98626C869A2BA65FL, 0x9C2FB6D4E18BA7C3L, 0x9102EDE4697F34F4L};
    private static final long[] WORD_3 = {0x9C636B231F2D28EBL, 0xC8F4F1F15C7DC5CCL, 0xD12FB028E6FDE819L};
    private static final long[] STOPWORD_3 = {0x8CDCB71BD34E63B0L, 0xA94FD025AD561B06L};
    private static final long[] NO_STOP_WORD = {0xD73A690D6651643BL};
    private static final long[] TINY = {0x8901109B3AC3C9E5L};
    private static final long SEED = 0x5EED;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "char:1",
                "char:5",
                "char:9",
                "char:64",
                "word:1",
                "word:2",
                "word:3",
                "word:64",
                "word:1..3",
                "word:3..10",
                "word:57..64",
                "stopword:2",
                "stopword:3",
                "stopword:64"
            })
    void shouldHashAlikeExactlyWhatIsAlike(String spec) {
        SplittableRandom random = new SplittableRandom(spec.hashCode());
        Map<List<String>, Long> hashes = new HashMap<>();
        Shingler shingler = Shingler.of(spec, SEED);
        for (int i = 0; i < 600; i++) {
            String text = NormalizedText.of(NormalizedTextTest.randomText(random, random.nextInt(100)));

            long[] actual = hashes(shingler, text);

            List<List<String>> expected = NaiveShingles.of(spec, text);
            assertThat(actual).as(text).hasSameSizeAs(expected);
            for (int s = 0; s < actual.length; s++) {
                Long before = hashes.putIfAbsent(expected.get(s), actual[s]);
                assertThat(before == null || before == actual[s]).as(text).isTrue();
            }
        }
        assertThat(new HashSet<>(hashes.values())).hasSameSizeAs(hashes.keySet());
        assertThat(shingler.name()).isEqualTo(spec);
    }

    @ParameterizedTest
    @ValueSource(strings = {"char:1", "char:2", "char:9", "char:64", "word:1", "word:3", "word:1..3", "stopword:3"})
    void shouldShingleUtf8LikeTheString(String spec) {
        SplittableRandom random = new SplittableRandom(spec.hashCode());
        Shingler shingler = Shingler.of(spec, SEED);
        Shingles shingles = new Shingles();
        for (int i = 0; i < 2_000; i++) {
            String letters = "abc".repeat(random.nextInt(8));
            byte[] utf8 = (NormalizedTextTest.randomText(random, random.nextInt(40)) + letters).getBytes(UTF_8);
            int length = utf8.length;
            String text = new String(utf8, UTF_8);

            shingler.shingle(Arrays.copyOf(utf8, length + 10), length, shingles);

            assertThat(Arrays.copyOf(shingles.array(), shingles.size()))
                    .as(text)
                    .containsExactly(hashes(shingler, text));
        }
    }

    @ParameterizedTest
    @CsvSource({"char:1,1", "char:9,2", "char:64,3"})
    void shouldRollToWhatAWindowHashesToAlone(String spec, long seed) {
        Shingler shingler = Shingler.of(spec, seed);
        int k = Integer.parseInt(spec.substring(5));
        String text = NormalizedTextTest.randomText(new SplittableRandom(seed), 500);
        int[] codePoints = text.codePoints().toArray();

        long[] rolled = hashes(shingler, text);

        for (int i = 0; i < rolled.length; i++) {
            assertThat(hashes(shingler, new String(codePoints, i, k))).containsExactly(rolled[i]);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "word:3|it is trivial to show|3",
                "word:3|it is|1",
                "word:3|?!|1",
                "word:3..3|it is trivial to show|3",
                "word:1..3|it is trivial to show|12",
                "word:3..5|it is|1",
                "word:3..5|it is trivial to|3",
                "word:3..5|''|0",
                "stopword:3|it is trivial to show|2",
                "stopword:2|it is trivial to show|3",
                "stopword:3|it is|1",
                "stopword:3|buy cheap watches online|1",
                "stopword:3|?!|1",
                "stopword:3|''|0",
                "stopword:2|l\u2019homme qu'il d\u00E9plore|3",
                "word:3|''|0",
                "word:1|\u65B0\u805E \u3072\u3089 \u0E44\u0E17\u0E22 news|8",
                "char:9|abc|1",
                "char:9|''|0",
                "char:9|123456789|1",
                "char:9|1234567890|2",
                "char:2|\uD83D\uDE00\uD83D\uDE01\uD83D\uDE02|2",
            })
    void shouldCountShingles(String spec, String text, int expected) {
        assertThat(hashes(Shingler.of(spec, SEED), text)).hasSize(expected);
    }

    @Test
    void shouldMatchNoUnlikeShortTexts() {
        List<String> texts = List.of("a", "b", "aa", "aaa", "ab", "ba", "?", "!", "??", "\u65B0");
        for (String spec : List.of("char:9", "word:3", "word:3..5", "stopword:3")) {
            Set<Long> hashes = new HashSet<>();
            for (String text : texts) {
                hashes.add(hashes(Shingler.of(spec, SEED), text)[0]);
            }
            assertThat(hashes).as(spec).hasSameSizeAs(texts);
        }
    }

    @Test
    void shouldKeepItsHashes() {
        String text = "na\u00EFve \u65B0\u805E 42 \uD83D\uDE00 caf\u00E9s";

        assertThat(hashes(Shingler.of("char:9", 42), text)).startsWith(CHAR_9).hasSize(11);
        assertThat(hashes(Shingler.of("word:3", 42), text)).containsExactly(WORD_3);
        assertThat(hashes(Shingler.of("char:9", 42), "tiny")).containsExactly(TINY);
        assertThat(hashes(Shingler.of("stopword:3", 42), "buy a cat or a dog")).containsExactly(STOPWORD_3);
        assertThat(hashes(Shingler.of("stopword:3", 42), "buy cheap cats online"))
                .containsExactly(NO_STOP_WORD);
    }

    @ParameterizedTest
    @CsvSource({"word:2..2,word:2", "word:1..3,word:1 word:2 word:3", "word:4..5,word:4 word:5"})
    void shouldHashRunsOfEachLengthAsThatLengthAlone(String spec, String lengths) {
        String text = "the red cat sat on the mat, the red cat";

        long[] actual = hashes(Shingler.of(spec, SEED), text);

        assertThat(actual)
                .containsExactly(Arrays.stream(lengths.split(" "))
                        .flatMapToLong(length -> LongStream.of(hashes(Shingler.of(length, SEED), text)))
                        .toArray());
    }

    @Test
    void shouldTellRunsOfOneTokenRepeatedApartByTheirLength() {
        long[] hashes = hashes(Shingler.of("word:1..8", SEED), "no ".repeat(8));

        assertThat(hashes).hasSize(36);
        assertThat(LongStream.of(hashes).distinct()).hasSize(8);
    }

    /** The sentence and the stop words that the book shows them on (Mining of Massive Datasets, 3.2.4). */
    @ParameterizedTest
    @EnumSource(LetterCase.class)
    void shouldBeginShinglesWithStopWordsInAnyCase(LetterCase letterCase) {
        String text = NormalizedText.of(
                "A spokesperson for the Sudzo Corporation revealed today that studies have shown it is good for people"
                        + " to buy Sudzo products",
                letterCase);
        StopWords stopWords = StopWords.of(List.of("a", "for", "the", "to", "that", "have", "it", "is"));
        Stream<String> expected = Stream.of(
                "A spokesperson for",
                "for the Sudzo",
                "the Sudzo Corporation",
                "that studies have",
                "have shown it",
                "it is good",
                "is good for",
                "for people to",
                "to buy Sudzo");

        long[] actual = hashes(Shingler.of("stopword:3", stopWords, SEED), text);

        Shingler alone = Shingler.of("word:3", SEED);
        assertThat(actual)
                .containsExactly(expected.mapToLong(words -> hashes(alone, NormalizedText.of(words, letterCase))[0])
                        .toArray());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7})
    void shouldFindStopWordsOfAnyScriptInAnyCase(int k) {
        StopWords stopWords = StopWords.of(
                List.of("the", "A", "\u00C9t\u00E9", "\u03C3\u03B1\u03C2", "\u7684", "\uD801\uDC00", "\u1F80", "x1"));
        String[] words = {
            "the",
            "The",
            "THE",
            "then",
            "a",
            "A",
            "\u00E9t\u00E9",
            "\u00C9T\u00C9",
            "\u03A3\u0391\u03A3",
            "\u03C3\u03B1\u03C2",
            "\u7684",
            "\u65B0",
            "\uD801\uDC00",
            "\uD801\uDC28",
            "\u1F88",
            "X1",
            "42",
            "\u017Fo",
            "\u0130l"
        };
        SplittableRandom random = new SplittableRandom(k);
        Shingler shingler = Shingler.of("stopword:" + k, stopWords, SEED);
        Shingler oneByOne = Shingler.of("word:" + k, SEED);
        for (int i = 0; i < 500; i++) {
            String text = Stream.generate(() -> words[random.nextInt(words.length)])
                    .limit(random.nextInt(2 * k, 60))
                    .collect(Collectors.joining(random.nextBoolean() ? " " : "-'"));
            List<List<String>> naive = NaiveShingles.of("stopword:" + k, text, stopWords);

            long[] actual = hashes(shingler, text);

            assertThat(actual)
                    .as(text)
                    .containsExactly(naive.stream()
                            .mapToLong(shingle -> hashes(oneByOne, String.join(" ", shingle))[0])
                            .toArray());
        }
    }

    @Test
    void shouldTellTextsWithoutStopWordsApart() {
        StopWords stopWords = StopWords.of(List.of("the"));
        Shingler shingler = Shingler.of("stopword:3", stopWords, SEED);
        StringBuilder text = new StringBuilder();
        StringBuilder swapped = new StringBuilder();
        for (int i = 0; i < 2048; i++) {
            boolean even = Integer.bitCount(i) % 2 == 0;
            text.append(even ? "buy " : "sell ");
            swapped.append(even ? "sell " : "buy ");
        }

        assertThat(hashes(shingler, text.toString())).hasSize(1).isNotEqualTo(hashes(shingler, swapped.toString()));
    }

    @Test
    void shouldHashOtherwiseUnderAnotherSeedOrKind() {
        Set<Long> hashes = new HashSet<>();
        int shingles = 0;
        for (String spec : List.of("char:3", "char:4", "word:1", "word:2")) {
            for (long seed = 0; seed < 4; seed++) {
                for (long hash : hashes(Shingler.of(spec, seed), "abcd")) {
                    hashes.add(hash);
                    shingles++;
                }
            }
        }

        // A single token is one shingle of word:1 and the whole text of word:2: the hashes may agree.
        assertThat(hashes).hasSizeBetween(shingles - 4, shingles);
    }

    /**
     * Words that collide in any polynomial mod 2^64 of plain characters, once they are long enough: Thue-Morse words.
     */
    @Test
    void shouldTellThueMorseWordsApart() {
        Set<Long> hashes = new HashSet<>();
        int pairs = 0;
        for (long seed = 0; seed < 400; seed++) {
            Shingler shingler = Shingler.of("char:64", seed);
            for (int letters = 0; letters < 5; letters++) {
                hashes.add(hashes(shingler, thueMorse((char) ('a' + letters), 'z'))[0]);
                hashes.add(hashes(shingler, thueMorse('z', (char) ('a' + letters)))[0]);
                pairs++;
            }
        }

        assertThat(hashes).hasSize(2 * pairs);
    }

    @Test
    void shouldMixEveryBit() {
        Shingler shingler = Shingler.of("char:9", SEED);
        int[] ones = new int[64];
        long[] hashes = LongStream.range(0, 20_000)
                .map(i -> hashes(shingler, String.format("%09d", i))[0])
                .toArray();
        for (long hash : hashes) {
            for (int bit = 0; bit < 64; bit++) {
                ones[bit] += (int) (hash >>> bit) & 1;
            }
        }

        // Six standard deviations of a fair coin.
        assertThat(IntStream.of(ones).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(10_000 - 425, 10_000 + 425));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "char",
                "char:",
                "char:0",
                "char:65",
                "char:-1",
                "char:09",
                "char:999",
                "Char:9",
                "line:2",
                "word:3 ",
                "word:0..2",
                "word:3..2",
                "word:1..9",
                "word:60..65",
                "word:1..",
                "word:..3",
                "char:5..9",
                "stopword:1",
                "stopword:65",
                "stopword:2..3"
            })
    void shouldRefuseUnknownSpecs(String spec) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Shingler.of(spec, SEED))
                .withMessageContaining("'" + spec + "'")
                .withMessageContaining("expected char:k or word:k with k from 1 to 64");
    }

    private static String thueMorse(char zero, char one) {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < 64; i++) {
            word.append(Integer.bitCount(i) % 2 == 0 ? zero : one);
        }
        return word.toString();
    }

    private static long[] hashes(Shingler shingler, String text) {
        Shingles shingles = new Shingles();
        shingler.shingle(text, shingles);
        return LongStream.range(0, shingles.size())
                .map(i -> shingles.hash((int) i))
                .toArray();
    }
}
