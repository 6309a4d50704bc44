package io.neardup.engine.text;

import static io.neardup.engine.text.ShingleLists.hashes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TermsTest {
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
