package io.neardup.tools.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.neardup.testing.Cost;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** Where a row is broken, what was seen of the next ones is used again. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldFindTheSameRowsAsIfEachWereTheFirst(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int run = 0; run < 2_000; run++) {
            byte[] table = new byte[random.nextInt(1, 60)];
            for (int i = 0; i < table.length; i++) {
                table[i] = (byte) "x,\"\n \r\u00e9".charAt(random.nextInt(7));
            }
            TableRows rows = new TableRows(new ByteArrayInputStream(table), ',');
            while (rows.advance()) {
                int offset = (int) rows.offset();
                TableRows first = new TableRows(new ByteArrayInputStream(table, offset, table.length - offset), ',');
                assertThat(first.advance()).isTrue();
                assertThat(rows.bytes()).isEqualTo(first.bytes());
                assertThat(rows.isBroken()).isEqualTo(first.isBroken());
                assertThat(rows.isBroken() || rows.separators() == first.separators())
                        .isTrue();
            }
        }
    }

    @Test
    void shouldReadLinesThatEachOpenAQuoteInTheTimeOfTheirBytes() {
        byte[] table = Reading.bytes("a,b\n" + "x\",\"\n".repeat(200_000));

        FeedFuzz.shouldEnd(
                table,
                skipped -> new TableReader(
                        "a", new ByteArrayInputStream(table), new byte[0], skipped, Reading.RECORD_BYTES_MAX));
    }

    @ParameterizedTest
    @ValueSource(strings = {",", "\t"})
    void shouldNotMakeAListOfMillionsOfCells(String separator) {
        byte[] table = Reading.bytes("id,text\n1,2\n".replace(",", separator) + separator.repeat(4 << 20) + "\n\"\"y"
                + separator.repeat(4 << 20) + "\n");

        Cost.shouldBeBounded(120_000_000, () -> {
            try {
                assertThat(Reading.of(table).fields("id")).contains("1");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
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
