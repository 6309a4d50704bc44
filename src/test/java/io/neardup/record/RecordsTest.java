package io.neardup.record;

import static io.neardup.record.InputRecords.document;
import static io.neardup.record.InputRecords.utf8;
import static io.neardup.record.InputRecords.withHeaders;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordsTest {
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

    @Test
    void shouldNeverShowContent() {
        assertThat(withHeaders("secret", new RecordHeader("trace", utf8("secret"))))
                .hasToString("documents-3-17(key 1 bytes, value 6 bytes)")
                .extracting(InputRecord::headers)
                .hasToString("[trace(6 bytes)]");
        assertThat(document("a-1", "secret")).hasToString("Document(a-1, 6 bytes)");
    }

    /** Programs go by them: a code that was sent once is never changed. */
    @Test
    void shouldKeepTheCodes() {
        assertThat(Stream.of(Reason.values()).map(Reason::code).collect(Collectors.joining(" ")))
                .isEqualTo("null-value not-utf8 not-json not-object too-deep repeated-key trailing-data lone-surrogate"
                        + " unknown-schema not-avro no-text text-not-string blank-text id-not-text id-too-long"
                        + " scope-not-text too-large unsignable null-key timestamp-out-of-range");
    }

    @Test
    void shouldCountCodePointsWhereverTheTextStands() {
        Random random = new Random(3);
        int[] ofEachLength = {'a', 0x7F, 'ä', 0x7FF, '日', 0xFFFD, 0x1F600, 0x10FFFF};
        for (int i = 0; i < 2_000; i++) {
            int[] codePoints = random.ints(random.nextInt(40), 0, ofEachLength.length)
                    .map(which -> ofEachLength[which])
                    .toArray();
            String text = new String(codePoints, 0, codePoints.length);
            String before = "ä".repeat(random.nextInt(9));
            byte[] bytes = (before + text + "日").getBytes(UTF_8);
            int from = before.getBytes(UTF_8).length;

            assertThat(RawText.of(bytes, from, bytes.length - 3).characters()).isEqualTo(codePoints.length);
        }
    }
}
