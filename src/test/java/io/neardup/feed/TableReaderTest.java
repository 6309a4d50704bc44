package io.neardup.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TableReaderTest {
    @Test
    void shouldMakeARecordOfEachRow() throws IOException {
        Reading reading = Reading.of("id,title,text\r\n1,\"A \"\"q\"\"\",\"x, y\nz\"\r\n\r\n2,,b\r\n");

        assertThat(reading.texts())
                .containsExactly(
                        "{\"id\":\"1\",\"title\":\"A \\\"q\\\"\",\"text\":\"x, y\\nz\"}",
                        "{\"id\":\"2\",\"text\":\"b\"}");
        assertThat(reading.records()).extracting(FeedRecord::number).containsExactly(2L, 3L);
    }

    @Test
    void shouldPassOverABrokenRowAlone() throws IOException {
        Reading reading = Reading.of("id,text\n1,a\n2,\"open\n3,b\n4,\"c\"d\n5,e,f,g\n6,h\n7\n");

        assertThat(reading.fields("id")).containsExactly("1", "3", "6", "7");
        assertThat(reading.passedOver().counts()).containsExactly(entry(Skip.BROKEN, 3L));
        String quotes = ": broken, a quote is not closed, or there is something behind a cell in quotes";
        assertThat(reading.passedOver().examples())
                .containsExactly(
                        "stdin:3 at byte 12" + quotes,
                        "stdin:5 at byte 24" + quotes,
                        "stdin:6 at byte 31: broken, expected 2 cells, found 4");
    }

    @Test
    void shouldTakeQuotesInTabSeparatedValuesAsTheyStand() throws IOException {
        Reading reading = Reading.of("id\ttext\n1\t\"q, r\n2\t\"a\tb\"\n3\t5\" long\n");

        assertThat(reading.fields("text")).containsExactly("\"q, r", "a\tb", "5\" long");
    }

    @Test
    void shouldReadSemicolonsAndOtherEncodings() throws IOException {
        String table = "id;text\n1;h\u00e9llo\n";

        assertThat(Reading.of(table).fields("text")).containsExactly("h\u00e9llo");
        assertThat(Reading.of(table.getBytes(Charset.forName("windows-1252"))).fields("text"))
                .containsExactly("h\u00e9llo");
        assertThat(Reading.of(("\ufeff" + table).getBytes(StandardCharsets.UTF_16LE))
                        .fields("text"))
                .containsExactly("h\u00e9llo");
        assertThat(Reading.of("\ufeff" + table).fields("id")).containsExactly("1");
    }

    @Test
    void shouldNameColumnsThatHaveNoNameOrOneTwice() throws IOException {
        assertThat(Reading.of("id,text,text,n\n1,a,b,c\n").texts())
                .containsExactly("{\"id\":\"1\",\"text\":\"a\",\"text_2\":\"b\",\"n\":\"c\"}");
    }

    @Test
    void shouldNotReadAllAgainForEachQuoteThatIsNotClosed() throws IOException {
        StringBuilder table = new StringBuilder("id,text\n");
        for (int i = 0; i < 20_000; i++) {
            table.append(i).append(",\"never closed\n");
        }
        Reading reading = Reading.of(table.toString());

        assertThat(reading.parts()).isEqualTo(20_000);
        assertThat(reading.records()).isEmpty();
    }
}
