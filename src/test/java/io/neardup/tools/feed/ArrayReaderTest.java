package io.neardup.tools.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrayReaderTest {
    @Test
    void shouldGiveEachElementAsItStandsOnALineOfItsOwn() throws IOException {
        Reading reading =
                Reading.of("[\n {\"id\": 1.50,\n  \"text\": \"a\\\"]},\\n\"}, {\"id\":2}\n,{\"a\":[1,{}]}]\n");

        assertThat(reading.texts())
                .containsExactly("{\"id\": 1.50,   \"text\": \"a\\\"]},\\n\"}", "{\"id\":2}", "{\"a\":[1,{}]}");
        assertThat(reading.records()).extracting(FeedRecord::number).containsExactly(1L, 2L, 3L);
        assertThat(reading.skippedTotals()).isEqualTo(SkippedTotals.NONE);
    }

    @Test
    void shouldCountALongElementAsOversized() throws IOException {
        Reading reading = Reading.of("[{\"a\":\"" + "x".repeat(Reading.RECORD_BYTES_MAX) + "\"},{\"id\":1}]");

        assertThat(reading.records()).extracting(FeedRecord::isOversized).containsExactly(true, false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"id\":1},{\"id\":\"2 | 1 | 2 at byte 10: truncated, expected a closing bracket, found the end",
                "[{\"id\":1},{bad},{\"id\":2}] | 1 | 2 at byte 11: broken, expected an element of a JSON array,"
                        + " found no JSON, so that nothing behind it is read",
                "[{\"id\":1}] 7 | 1 | 2 at byte 11: broken, expected nothing behind the array, found something,"
                        + " so that nothing behind it is read",
                "' [ ] ' | 0 |"
            })
    void shouldSayWhatIsWrongWithAnArray(String content, int records, @Nullable String example) throws IOException {
        Reading reading = Reading.of(content);

        assertThat(reading.records()).hasSize(records);
        assertThat(String.join("", reading.skippedTotals().examples()))
                .isEqualTo(example == null ? "" : "stdin:" + example);
    }
}
