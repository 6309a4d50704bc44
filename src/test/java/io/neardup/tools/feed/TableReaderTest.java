package io.neardup.tools.feed;

import static io.neardup.tools.feed.Reading.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.Cost;
import io.neardup.tools.feed.Reading.Case;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
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
    void shouldPassOverARowOfTooManyCellsAloneAndEndWithAQuoteThatIsNone() throws IOException {
        Reading reading = Reading.of("id,text\n1,a\n2,b,c\n3,\"d\ne\"\n4\n5,\"f\"g\n6,h\n");

        assertThat(reading.fields("id")).containsExactly("1", "3", "4");
        assertThat(reading.skippedTotals().examples())
                .containsExactly(
                        "stdin:3 at byte 12: broken, expected 2 cells, found 3",
                        "stdin:6 at byte 28: broken, a quote is not closed, or text follows a closing quote, so nothing"
                                + " after it is read");
    }

    /** Also far behind the start of the file. */
    @ParameterizedTest
    @ValueSource(ints = {0, 20_000})
    void shouldTakeAQuoteOfTsvForOneOfACellOnlyWhereThatEndsInItsLine(int rowsBefore) throws IOException {
        String table = "id\ttext\n" + "0\tx y\n".repeat(rowsBefore)
                + "1\t\"a\tb\"\n2\t\"open\n3\t\"q\" said\n4\t\"in\"\n\n5\ta \"b\"\n";
        for (Charset charset : List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE)) {
            Reading reading = Reading.of(("\ufeff" + table).getBytes(charset));

            assertThat(reading.fields("text").subList(rowsBefore, rowsBefore + 5))
                    .containsExactly("a\tb", "\"open", "\"q\" said", "in", "a \"b\"");
            assertThat(reading.skipped()).isEmpty();
        }
    }

    @Test
    void shouldSeparateByWhatStandsOutsideOfQuotes() {
        assertThat(TableReader.separator("\"Titel\";\"Text, gek\u00fcrzt\"")).isEqualTo(';');
    }

    @Test
    void shouldTellWhereARowOfTsvIs() throws IOException {
        Reading reading = Reading.of("id\ttext\r\n1\ta\r\n2\tb\tc\r\n3\td");

        assertThat(reading.fields("text")).containsExactly("a", "d");
        assertThat(reading.skippedTotals().examples())
                .containsExactly("stdin:3 at byte 14: broken, expected 2 cells, found 3");
    }

    @ParameterizedTest
    @CsvSource({"',', 1", "'\t', 2"})
    void shouldTellACellThatIsTooLarge(String separator, int rows) throws IOException {
        String cell = "x".repeat(TableReader.ROW_BYTES_MAX + 1);
        Reading reading = Reading.of(("id,text\n1,a\n2," + cell + "\n3,b\n").replace(",", separator));

        assertThat(reading.records()).hasSize(rows);
        assertThat(reading.skipped()).isEqualTo("too-large 1");
    }

    @Test
    void shouldPassOverAFileOfTooManyColumns(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("a.csv"), "a,".repeat(TableReader.COLUMNS_MAX) + "b\n1,2\n");
        Files.writeString(folder.resolve("b.csv"), "id,text\n1,fine\n");
        Reading reading = Reading.ofFiles(folder.toString());

        assertThat(reading.fields("text")).containsExactly("fine");
        assertThat(reading.skipped()).isEqualTo("too-large 1");
        assertThat(reading.skippedTotals().examples().get(0))
                .contains("at most 10000 names of columns", "found 10001 and ");
    }

    @Test
    void shouldReadLinesThatEachOpenAQuoteInTheTimeOfTheirBytes() {
        byte[] table = bytes("a,b\n" + "x\",\"\n".repeat(200_000));

        FeedFuzz.shouldEnd(
                table,
                skipped -> new TableReader(
                        "a", new ByteArrayInputStream(table), new byte[0], skipped, Reading.RECORD_BYTES_MAX));
    }

    @ParameterizedTest
    @ValueSource(strings = {",", "\t"})
    void shouldNotMakeAListOfMillionsOfCells(String separator) {
        byte[] table = bytes("id,text\n1,2\n".replace(",", separator) + separator.repeat(4 << 20) + "\n\"\"y"
                + separator.repeat(4 << 20) + "\n");

        Cost.shouldBeBounded(120_000_000, () -> {
            try {
                assertThat(Reading.of(table).fields("id")).contains("1");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static Case table(String what, byte[] content, String... texts) {
        return new Case(what, content, "text", List.of(texts), "");
    }

    static List<Case> tables() {
        String accent = "id;text\n1;h\u00e9llo\n";
        int many = 20_000;
        return List.of(
                table("semicolons", bytes(accent), "h\u00e9llo"),
                table("the separator of Excel", bytes("sep=;\r\n" + accent), "h\u00e9llo"),
                table("the same behind a mark", bytes("\ufeffsep=;\n" + accent), "h\u00e9llo"),
                table("the same of tabs", bytes("sep=\t\nid\ttext\n1\ta, b\n"), "a, b"),
                table("windows-1252", accent.getBytes(Charset.forName("windows-1252")), "h\u00e9llo"),
                table("UTF-16 with a mark", ("\ufeff" + accent).getBytes(StandardCharsets.UTF_16LE), "h\u00e9llo"),
                new Case("a mark before the first column", bytes("\ufeff" + accent), "id", List.of("1"), ""),
                table("a mark in a cell", bytes("id,text\n1,\ufeffa\n"), "\ufeffa"),
                table(
                        "a cell like UTF-16",
                        "id,text\n1,\u00ff\u00feab\n".getBytes(StandardCharsets.ISO_8859_1),
                        "\u00ff\u00feab"),
                new Case("a mark before quotes", bytes("\ufeff\"id\",text\n1,a\n"), "id", List.of("1"), ""),
                table("the first of two columns of a name", bytes("id,text,text,n\n1,a,b,c\n"), "a"),
                new Case("the second of them", bytes("id,text,text,n\n1,a,b,c\n"), "text_2", List.of("b"), ""),
                // None reads all again.
                new Case(
                        "quotes never closed",
                        bytes("id,text\n" + "1,\"open\n".repeat(many)),
                        "id",
                        List.of(),
                        "broken 1"));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void shouldReadWhatIsThereAndCountWhatIsSkipped(Case table) throws IOException {
        table.check();
    }
}
