package io.neardup.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {
    @ParameterizedTest
    @ValueSource(
            ints = {
                0x00, 0x09, 0x0A, 0x0D, 0x1B, 0x7F, 0x85, 0x9B, 0xAD, 0x200B, 0x202E, 0x2028, 0x2029, 0x2066, 0xD800,
                0xFEFF, 0xE0041
            })
    void shouldWriteWhatIsNotSeenAsItsNumber(int codePoint) {
        String hidden = new StringBuilder().appendCodePoint(codePoint).toString();

        assertThat(Printable.of("a" + hidden + "b")).isEqualTo(String.format(Locale.ROOT, "a<U+%04X>b", codePoint));
    }

    @Test
    void shouldLeaveAllOtherTextAndTheEndsOfLinesAsTheyAre() {
        String text = "Grüße, 東京 \u00A0 😀 [31m \\ <U+001B>";
        assertThat(Printable.of(text)).isEqualTo(text).isEqualTo(Printable.lines(text));
        assertThat(Printable.lines("one\r\ntwo\u001B[2J\u0085three\n"))
                .isEqualTo("one\r\ntwo<U+001B>[2J<U+0085>three\n");
    }

    @Test
    void shouldEscapeAndCutTheDetailOfARejection() {
        assertThat(new Rejection(Reason.UNSIGNABLE, "found \u001B]0;x\u0007\u202E\n", null).detail())
                .isEqualTo("found <U+001B>]0;x<U+0007><U+202E><U+000A>");
        assertThat(new Rejection(Reason.UNSIGNABLE, "\u001B".repeat(300), null).detail())
                .hasSize(Rejection.DETAIL_LENGTH_MAX)
                .endsWith("...");
    }
}
