package io.neardup.tools.feed;

import static io.neardup.tools.feed.Reading.bytes;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArrayReaderTest {
    @Test
    void shouldGiveEachElementAsItStandsOnALineOfItsOwn() throws IOException {
        Reading reading =
                Reading.of("[\n {\"id\": 1.50,\n  \"text\": \"a\\\"]},\\n\"}, {\"id\":2}\n,{\"a\":[1,{}]}]\n");

        assertThat(reading.texts())
                .containsExactly("{\"id\": 1.50,   \"text\": \"a\\\"]},\\n\"}", "{\"id\":2}", "{\"a\":[1,{}]}");
        assertThat(reading.records()).extracting(FeedRecord::number).containsExactly(1L, 2L, 3L);
        assertThat(reading.skippedTotals()).isEqualTo(Skipped.Totals.NONE);
    }

    @Test
    void shouldTakeObjectsOfSeveralLinesOneAfterTheOther() throws IOException {
        Reading reading = Reading.of("{\n  \"id\": 1\n}\n{\"id\":2}\n\n");

        assertThat(reading.texts()).containsExactly("{   \"id\": 1 }", "{\"id\":2}");
        assertThat(reading.skipped()).isEmpty();
        assertThat(Reading.of("{\n\"id\":1}\n{\"id\"").skipped()).isEqualTo("truncated 1");
    }

    @Test
    void shouldCountALongElementAsOversized() throws IOException {
        Reading reading = Reading.of("[{\"a\":\"" + "x".repeat(Reading.RECORD_BYTES_MAX) + "\"},{\"id\":1}]");

        assertThat(reading.records()).extracting(FeedRecord::isOversized).containsExactly(true, false);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 99, 100, 101, 5_000, 9_000, 30_000})
    void shouldGiveElementsOfWhateverLengthWhateverTheBound(int lengthMax) throws IOException {
        List<String> elements = new ArrayList<>();
        Random random = new Random(lengthMax);
        for (int bytes = 0;
                bytes < 200_000;
                bytes += elements.get(elements.size() - 1).length()) {
            int length = random.nextBoolean() ? lengthMax : Math.max(2, lengthMax - 2 + random.nextInt(5));
            int kind = random.nextInt(10);
            elements.add(
                    kind == 0
                            ? "{" + " ".repeat(random.nextInt(3 * lengthMax)) + "}"
                            : kind < 4 ? "7".repeat(length) : "\"" + "x".repeat(length - 2) + "\"");
        }
        byte[] array = bytes("[" + String.join(",\n" + " ".repeat(lengthMax), elements) + "\n]");
        ArrayReader reader = new ArrayReader("a", new ByteArrayInputStream(array), true, new Skipped(), lengthMax);

        for (int i = 0; i < elements.size(); i++) {
            String element = elements.get(i);
            FeedRecord record = Objects.requireNonNull(reader.next());
            assertThat(record.position()).isEqualTo("a:" + (i + 1));
            assertThat(record.length()).isEqualTo(element.length());
            assertThat(record.bytes()).isEqualTo(bytes(element.length() > lengthMax ? "" : element));
        }
        assertThat(reader.next()).isNull();
    }

    @Test
    void shouldTakeWhatIsNearlyJson() throws IOException {
        String digits = "1".repeat(2_000);
        Reading reading = Reading.of("\ufeff[{\"a\":NaN},{\"a\":-Infinity},{\"a\":\"\\d\\'\"},{\"a\":" + digits
                + "},{\"" + "n".repeat(60_000) + "\":1}," + "[".repeat(20_000) + "]".repeat(20_000)
                + ",{\"id\":\"\u00e9\"},]");

        assertThat(reading.texts()).hasSize(7).contains("{\"a\":NaN}", "{\"id\":\"\u00e9\"}");
        assertThat(reading.skipped()).isEmpty();
    }

    @Test
    void shouldTakeBytesOfAnyEncodingAsTheyAre() throws IOException {
        byte[] array = "[{\"a\":\"\u00e9\"},{\"id\":1}]".getBytes(ISO_8859_1);

        assertThat(Reading.of(array).records())
                .extracting(FeedRecord::bytes)
                .containsExactly(Arrays.copyOfRange(array, 1, 10), bytes("{\"id\":1}"));
    }

    @Test
    void shouldTellAnElementThatIsTooDeepOrHasTooLongAName() throws IOException {
        String deep = "[{\"id\":1}," + "[".repeat(ArrayReader.DEPTH_MAX + 1);
        String longName = "[{\"id\":1},{\"" + "n".repeat(ArrayReader.TOKEN_BYTES_MAX + 1) + "\":1}]";

        assertThat(Reading.of(deep).skipped()).isEqualTo("too-deep 1");
        assertThat(Reading.of(longName).skipped()).isEqualTo("too-large 1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [{"id":1},{"id":"2 | 1 | 2 at byte 10: truncated, expected a closing bracket, found the end
            [{"id":1},{bad},{"id":2}] | 1 | 2 at byte 11: broken, expected an element of a JSON array, or an object,\
             found no JSON, so nothing after it is read
            [{"id":1}] 7 | 1 | 2 at byte 11: broken, expected nothing after the array, found more, so nothing after it\
             is read
            ' [ ] ' | 0 |
            """)
    void shouldSayWhatIsWrongWithAnArray(String content, int records, @Nullable String example) throws IOException {
        Reading reading = Reading.of(content);

        assertThat(reading.records()).hasSize(records);
        assertThat(String.join("", reading.skippedTotals().examples()))
                .isEqualTo(example == null ? "" : "stdin:" + example);
    }
}
