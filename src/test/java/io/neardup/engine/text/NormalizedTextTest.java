package io.neardup.engine.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.Cost;
import java.text.Normalizer;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NormalizedTextTest {
    /** White space of every kind, cases that lower specially, marks that compose and reorder, every plane. */
    private static final int[] TRICKY = {
        ' ', '\t', '\n', '\r', 0x0B, 0x1C, 0x1F, 0x85, 0xA0, 0x1680, 0x2003, 0x2007, 0x2028, 0x202F, 0x3000, 0x200B,
        0xFEFF, 'a', 'A', 'I', 'Z', '.', '\'', '-', '1', 0xC4, 0xE9, 0xDF, 0x130, 0x131, 0x3A3, 0x3A3, 0x3A3, 0x3C3,
        0x3C2, 0x391, 0x301, 0x323, 0x307, 0x345, 0x5D0, 0x627, 0xE01, 0xE33, 0x1100, 0x1161, 0x11A8, 0xAC00, 0x4E00,
        0x3042, 0x30A2, 0xFB01, 0x1E9E, 0x212B, 0x2126, 0x24B6, 0x2160, 0x2B0, 0x1D400, 0x10400, 0x1F600, 0x20000,
        0x1D15E, 0x1D165, 0xD800, 0xDC00,
    };

    @Test
    void shouldEqualThePlainDefinitionOnRandomText() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            String raw = i % 4 == 0 ? asciiText(random) : randomText(random, random.nextInt(24));
            assertThat(NormalizedText.of(raw)).as("text %d", i).isEqualTo(plain(raw));
            assertThat(NormalizedText.of(raw, LetterCase.KEEP))
                    .as("text %d", i)
                    .isEqualTo(collapsed(Normalizer.normalize(raw, Normalizer.Form.NFC)));
        }
        assertThat(NormalizedText.of(" The  CAT ", LetterCase.KEEP)).isEqualTo("The CAT");
    }

    private static String asciiText(SplittableRandom random) {
        return random.ints(random.nextInt(40), 0, 128)
                .mapToObj(c -> Character.toString(c % 3 == 0 ? ' ' : c))
                .collect(Collectors.joining());
    }

    @Test
    void shouldFindNoWhiteSpaceBeyondTheBasicPlane() {
        assertThat(IntStream.rangeClosed(0x10000, Character.MAX_CODE_POINT)).noneMatch(NormalizedTextTest::isSpace);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u03A3",
                "1\u03A3",
                "\u03A3'",
                "\u0301\u0323",
                "\uD834\uDD65\uD834\uDD6D",
                "\u0345",
                " \u0307",
                "\uD81B\uDD68"
            })
    void shouldTakeLinearTimeOnHostileText(String repeated) {
        String hostile = "A" + repeated.repeat(100_000);

        Cost.shouldBeBounded(
                100_000_000, () -> assertThat(NormalizedText.of(hostile)).startsWith("a"));
    }

    /** The JDK walks through the whole word at each letter up to the nearest with a capital: for hours. */
    @ParameterizedTest
    @ValueSource(strings = {"%s\u03A3", "A\u03A3%s", "A\u03A3 %s\u03A3"})
    @Timeout(60)
    void shouldTakeLinearTimeWhereOneSigmaIsFarFromLettersWithCapitals(String form) {
        String hostile = form.formatted("\u05D0".repeat(1_000_000));

        assertThat(NormalizedText.of(hostile))
                .isEqualTo(hostile.replace('A', 'a').replace('\u03A3', '\u03C3'));
    }

    /** Found by fuzzing: the JDK alone takes more than two minutes. */
    @Test
    @Timeout(60)
    void shouldTakeLinearTimeWhereSmallLettersTakeMoreChars() {
        assertThat(NormalizedText.of("\u0130".repeat(400_000))).isEqualTo("i\u0307".repeat(400_000));
    }

    @Test
    void shouldLeaveLongRunsOfMarksAsTheyAre() {
        String longest = "x" + "\u0301\u0323".repeat(128) + "y";
        String tooLong = "x" + "\u0301\u0323".repeat(300) + "y";

        assertThat(NormalizedText.of(longest)).isEqualTo(plain(longest)).isNotEqualTo(longest);
        assertThat(NormalizedText.of(tooLong)).isEqualTo(tooLong);
    }

    @Test
    void shouldGiveUpFinalSigmasOnlyWhereTheyAreCostly() {
        String greek = "\u039F\u03A3 ".repeat(20_000);
        String hostile = "\u039F\u03A3".repeat(20_000);

        assertThat(NormalizedText.of(greek)).isEqualTo(plain(greek)).contains("\u03C2");
        assertThat(NormalizedText.of(hostile)).isEqualTo("\u03BF\u03C3".repeat(20_000));
    }

    static String plain(String raw) {
        return collapsed(Normalizer.normalize(raw, Normalizer.Form.NFC).toLowerCase(Locale.ROOT));
    }

    private static String collapsed(String text) {
        StringBuilder spaced = new StringBuilder(" ");
        text.codePoints().map(c -> isSpace(c) ? ' ' : c).forEach(spaced::appendCodePoint);
        String single = spaced.append(' ').toString().replaceAll(" +", " ");
        return single.length() < 2 ? "" : single.substring(1, single.length() - 1);
    }

    static String randomText(SplittableRandom random, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            int any = random.nextInt(8) == 0 ? random.nextInt(0x30000) : TRICKY[random.nextInt(TRICKY.length)];
            text.appendCodePoint(any);
        }
        return text.toString();
    }

    private static boolean isSpace(int c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }
}
