package io.neardup.tools.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrayReaderTest {
    @Test
    void shouldGiveEachElementAsItStandsOnALineOfItsOwn() throws IOException {
        Reading reading =
                Reading.of("[\n {\"id\": 1.50,\n  \"text\": \"a\\\"]},\\n\"}, {\"id\":2}\n,{\"a\":[1,{}]}]\n");

        assertThat(reading.texts())
                .containsExactly("{\"id\": 1.50,   \"text\": \"a\\\"]},\\n\"}", "{\"id\":2}", "{\"a\":[1,{}]}");
        assertThat(reading.records()).extracting(FeedRecord::number).containsExactly(1L, 2L, 3L);
        assertThat(reading.passedOver()).isEqualTo(PassedOver.NONE);
    }

    @Test
    void shouldLeaveABrokenElementToWhoReadsItAndGoOn() throws IOException {
        assertThat(Reading.of("[{\"id\":1},{bad},,{\"id\":2}]").texts())
                .containsExactly("{\"id\":1}", "{bad}", "{\"id\":2}");
    }

    @Test
    void shouldSayWhereAnArrayIsCut() throws IOException {
        Reading reading = Reading.of("[{\"id\":1},{\"id\":\"2");

        assertThat(reading.texts()).containsExactly("{\"id\":1}");
        assertThat(reading.passedOver().examples())
                .containsExactly("stdin:2 at byte 10: truncated, expected a closing bracket, found the end");
    }

    @Test
    void shouldSayThatSomethingIsBehindTheArray() throws IOException {
        Reading reading = Reading.of("[{\"id\":1}] x");

        assertThat(reading.texts()).hasSize(1);
        assertThat(reading.passedOver().examples())
                .containsExactly("stdin:2 at byte 11: broken, expected nothing behind the array, found something");
    }

    @Test
    void shouldCountALongElementAsOversized() throws IOException {
        Reading reading = Reading.of("[{\"a\":\"" + "x".repeat(Reading.RECORD_BYTES_MAX) + "\"},{\"id\":1}]");

        assertThat(reading.records()).extracting(FeedRecord::isOversized).containsExactly(true, false);
    }

    @Test
    void shouldFindNothingInAnEmptyArray() throws IOException {
        assertThat(Reading.of(" [ ] ").records()).isEqualTo(List.of());
    }
}
