package io.neardup.engine.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.text.Normalizer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NormalizedBufferTest {
    private final NormalizedBuffer buffer = new NormalizedBuffer(LetterCase.LOWER);

    /** Mostly plain letters, so that runs of them end at every place in a group of eight bytes. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 8, 16, 64})
    void shouldEqualTheNormalizedTextOfAString(int plainToTricky) {
        SplittableRandom random = new SplittableRandom(plainToTricky);
        NormalizedBuffer keeping = new NormalizedBuffer(LetterCase.KEEP);
        for (int i = 0; i < 10_000; i++) {
            String raw = randomText(random, random.nextInt(80), plainToTricky);
            assertThat(normalized(raw, buffer)).as("text %d", i).isEqualTo(NormalizedText.of(raw));
            assertThat(normalized(raw, keeping)).as("text %d", i).isEqualTo(NormalizedText.of(raw, LetterCase.KEEP));
        }
    }

    @ParameterizedTest
    @EnumSource(LetterCase.class)
    void shouldEqualTheNormalizedTextForEveryCharacter(LetterCase letterCase) {
        NormalizedBuffer buffer = new NormalizedBuffer(letterCase);
        for (int c = 0; c <= 0x2FFFF; c++) {
            if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
                String raw = " A" + Character.toString(c) + "B ";

                assertThat(normalized(raw, buffer)).as("U+%04X", c).isEqualTo(NormalizedText.of(raw, letterCase));
            }
        }
    }

    /**
     * A character joins the one before it only if it is the second half of a decomposition, of one step or of several.
     */
    @Test
    void shouldTakeNoCharacterAloneThatCanJoinTheOneBefore() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            String whole = Character.toString(c);
            String parts = Normalizer.normalize(whole, Normalizer.Form.NFD);
            if (!parts.equals(whole) && parts.codePointCount(0, parts.length()) > 1) {
                assertThat(NormalizedBuffer.LoneForms.of(parts.codePointBefore(parts.length())))
                        .as("U+%04X", c)
                        .isEqualTo(NormalizedBuffer.LoneForms.NONE);
            }
        }
    }

    /** In lower case U+023A takes three bytes instead of two. */
    @Test
    void shouldTakeAPartOfAnArrayAndForgetTheTextBeforeAndMakeRoomForTextsThatGrow() {
        byte[] bytes = "XX  The  CAT\n sat XX".getBytes(UTF_8);
        buffer.set(bytes, 0, bytes.length);
        buffer.set(bytes, 2, bytes.length - 2);
        assertThat(buffer.toBytes()).isEqualTo("the cat sat".getBytes(UTF_8));
        assertThat(normalized("\u023A".repeat(100_000), buffer)).isEqualTo("\u2C65".repeat(100_000));
    }

    private static String normalized(String raw, NormalizedBuffer buffer) {
        byte[] utf8 = raw.getBytes(UTF_8);
        buffer.set(utf8, 0, utf8.length);
        return new String(buffer.array(), 0, buffer.length(), UTF_8);
    }

    private static String randomText(SplittableRandom random, int length, int plainToTricky) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            if (random.nextInt(plainToTricky + 1) > 0) {
                text.append("abcXYZ 1.@[`{~".charAt(random.nextInt(14)));
            } else {
                text.append(NormalizedTextTest.randomText(random, 1));
            }
        }
        // UTF-8 carries no unpaired surrogate: a question mark takes its place.
        return new String(text.toString().getBytes(UTF_8), UTF_8);
    }
}
