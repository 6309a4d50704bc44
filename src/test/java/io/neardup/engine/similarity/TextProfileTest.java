package io.neardup.engine.similarity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextProfileTest {
    /** Words of many scripts and lengths; the pairs an and c0, ao and c1 have one hash code. */
    private static final List<String> PIECES = List.of(
            ("The the THE cat sat mat a of x86 2024 \u0663\u0664\u0665 ΣΑΣ σας İstanbul straße ǅungla Москва москва"
                            + " 新闻新闻 去重 ไทยแลนด์ नमस्ते cafe\u0301 café 한국어 \uD835\uDC00\uD835\uDC01\uD835\uDC02"
                            + " 😀 abc😀def \uD800 anan anc0 c0an c0c0 aoc1x c1aox")
                    .split(" "));

    private static final List<String> SEPARATORS =
            List.of(" ", " ", " ", "", "-", "'", "\n", ", ", "_", "\u00A0", "\u0000", "😀");

    @Test
    void shouldEqualThePlainDefinition() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 6_000; i++) {
            String text = randomText(random, i % 50 == 0 ? 3_000 : 60);

            assertThat(TextProfile.of(text)).isEqualTo(NaiveTextProfile.of(text));
        }
    }

    private static String randomText(SplittableRandom random, int tokensMax) {
        int skew = 1 + random.nextInt(8);
        int made = random.nextInt(30);
        return IntStream.range(0, random.nextInt(tokensMax + 1))
                .mapToObj(i -> piece(random, skew, made) + SEPARATORS.get(random.nextInt(SEPARATORS.size())))
                .collect(Collectors.joining());
    }

    /** A known word or a random one. The greater the skew, the more often the first known words are drawn. */
    private static String piece(SplittableRandom random, int skew, int made) {
        int pick = (int) ((PIECES.size() + made) * Math.pow(random.nextDouble(), skew));
        return pick < PIECES.size() ? PIECES.get(pick) : "made" + pick * 31;
    }

    /** Equal counts are in the order that Nutch has them in. */
    @ParameterizedTest
    @CsvSource({
        "The cat sat on the mat.,                     592325199d7e02121eaf3304d10cc681",
        "The red cat sat on the mat.,                 592325199d7e02121eaf3304d10cc681",
        "the quick brown fox jumps over the lazy dog, 592325199d7e02121eaf3304d10cc681",
        "what's the flight time from Berlin to Helsinki?,       08e0552fb356ef6b6d71267ccdf815c3",
        "what's the flight time from Berlin to Oulu?,           9002638e3636130f5d78535c876d5d11",
        "how long does it take to fly from Berlin to Helsinki?, cb33a105d0276f54ca8a3017e12dd397",
        "Hello World The Quick Brown Fox Jumped Over the Lazy Fox, 893f359d5e8dbbecdac1ede521134f56",
        "alpha delta alpha delta, 876d628f17ec5b6cd73a88ad3a59b946",
        "alpha delta alpha delta one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
                + " fifteen sixteen seventeen eighteen, 876d628f17ec5b6cd73a88ad3a59b946",
        "'', d41d8cd98f00b204e9800998ecf8427e"
    })
    void shouldHaveTheSignatureOfNutch(String text, String md5) throws NoSuchAlgorithmException {
        byte[] digest =
                MessageDigest.getInstance("MD5").digest(TextProfile.of(text).getBytes(UTF_8));
        assertThat(HexFormat.of().formatHex(digest)).isEqualTo(md5);
    }

    /** The quantum is a hundredth of the highest count, halves rounded up, and at least 2. */
    @ParameterizedTest
    @CsvSource({"149,2", "250,3", "450,5"})
    void shouldRoundCountsDownToTheQuantum(int highest, int quantum) {
        String text = "top ".repeat(highest) + "low ".repeat(quantum) + "off ".repeat(quantum - 1);

        assertThat(TextProfile.of(text).lines())
                .containsExactlyInAnyOrder("top " + highest / quantum * quantum, "low " + quantum);
    }
}
