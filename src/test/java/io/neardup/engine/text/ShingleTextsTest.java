package io.neardup.engine.text;

import static io.neardup.engine.text.ShingleLists.hashes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShingleTextsTest {
    @ParameterizedTest
    @ValueSource(strings = {"char:1", "char:9", "word:1", "word:3", "word:1..3", "stopword:3"})
    void shouldFindTheTextsThatHashToWhatIsWanted(String spec) {
        SplittableRandom random = new SplittableRandom(spec.hashCode());
        ShingleSpec parsed = ShingleSpec.of(spec);
        Shingling shingling = new Shingling(LetterCase.LOWER, spec);
        ShingleTexts texts = new ShingleTexts(shingling, 1);
        Shingler shingler = shingling.shingler(1);
        Shingles alone = new Shingles();
        for (int i = 0; i < 300; i++) {
            String text = NormalizedText.of(
                    "the cat " + NormalizedTextTest.randomText(random, random.nextInt(60)) + " of \uD83D\uDE00");
            List<String> found = new ArrayList<>();

            texts.find(text, hash -> true, (hash, shingle) -> {
                shingler.shingle(shingle, alone);
                if (parsed.kind() != ShingleSpec.Kind.STOPWORD || isOf(hash, alone)) {
                    assertThat(alone.hash(alone.size() - 1)).as(shingle).isEqualTo(hash);
                    found.add(shingle);
                }
            });

            assertThat(found)
                    .as(text)
                    .containsExactlyElementsOf(NaiveShingles.of(spec, text).stream()
                            .filter(units -> units.size() >= parsed.min())
                            .map(units -> String.join(parsed.kind() == ShingleSpec.Kind.CHAR ? "" : " ", units))
                            .filter(parsed::isShingle)
                            .toList());
        }
    }

    /** Of words those that begin with a stop word. */
    private static boolean isOf(long hash, Shingles alone) {
        return alone.hash(0) == hash;
    }

    private static final String ALPHABET = "ab1 .,-'\u00e9\u0301\u6771\u4eac\u3042\u0e01\ud83d\ude00\ud840\udc0b";

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldStandForTheShinglesOfTheText(int k) {
        SplittableRandom random = new SplittableRandom(k);
        int[] codePoints = ALPHABET.codePoints().toArray();
        Shingler shingler = Shingler.of("word:" + k, 7);
        for (int i = 0; i < 500; i++) {
            StringBuilder raw = new StringBuilder();
            random.ints(random.nextInt(30), 0, codePoints.length).forEach(at -> raw.appendCodePoint(codePoints[at]));
            String text = NormalizedText.of(raw.toString());

            assertThat(Terms.of(text, k).stream()
                            .map(term -> hashes(shingler, term))
                            .toArray(long[][]::new))
                    .isDeepEqualTo(LongStream.of(hashes(shingler, text))
                            .mapToObj(hash -> new long[] {hash})
                            .toArray(long[][]::new));
        }
    }
}
