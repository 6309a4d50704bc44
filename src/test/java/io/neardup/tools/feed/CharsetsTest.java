package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CharsetsTest {
    /** As where an answer was cut, within a character or not. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void shouldKeepWhatIsWellFormedOfACutText(int cut) {
        String text = "\u043c\u0438\u043d\u0438\u0445\u044d\u0448 \u6587\u66f8";
        byte[] bytes = text.getBytes(UTF_8);

        assertThat(Charsets.decode(Arrays.copyOf(bytes, bytes.length - cut), UTF_8))
                .startsWith(text.substring(0, text.length() - 2));
    }

    @Test
    void shouldNotCountACutAgainstTheRest() {
        byte[] bytes = "caf\u00e9 it\u2019s".getBytes(UTF_8);

        assertThat(Charsets.decode(Arrays.copyOf(bytes, bytes.length - 2), null))
                .startsWith("caf\u00e9 it");
        assertThat(Charsets.decode("caf\u00e9".getBytes(ISO_8859_1), null)).isEqualTo("caf\u00e9");
    }

    @Test
    void shouldTakeForAnotherEncodingWhatIsHardlyUtf8() {
        String text = "l'\u00e9l\u00e8ve \u00e0 c\u00f4t\u00e9 \u00c3\u00a9";

        assertThat(Charsets.decode(text.getBytes(ISO_8859_1), null)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"ISO-8859-8-I, ISO-8859-8", "iso-8859-6-e, ISO-8859-6", "latin1, windows-1252", "gb2312, GB18030"})
    void shouldKnowNamesAsBrowsersDo(String name, String charset) {
        assertThat(Charsets.of(name)).isEqualTo(Charset.forName(charset));
    }
}
