package io.neardup.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.engine.similarity.Similarity;
import io.neardup.record.Verdict.Nearest;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Position;
import io.neardup.record.Verdict.Repeated;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VerdictCodecTest {
    private static final Position PLACE = new Position("documents", 3, 17);
    private static final String SETTINGS = "0123456789abcdef";
    private static final Nearest NEAREST = new Nearest("a", "documents-0-2", 0.61);

    private static final Verdict DUPLICATE = new Verdict(
            PLACE,
            1_767_225_600_000L,
            "b",
            Outcome.DUPLICATE,
            new Repeated("a", "documents-0-2", new Similarity(0.75, 0.5, 1, 0.875), null),
            null,
            null,
            List.of(),
            SETTINGS,
            "Herald",
            1_204);

    private static Verdict unique(List<String> bounds) {
        return new Verdict(PLACE, -1, "ü\"", Outcome.UNIQUE, null, NEAREST, null, bounds, SETTINGS, null, 0);
    }

    @Test
    void shouldWriteADuplicateAsReadersExpectIt() {
        assertThat(new String(VerdictCodec.encode(DUPLICATE), UTF_8))
                .isEqualTo("{\"topic\":\"documents\",\"partition\":3,\"offset\":17,\"timestamp\":1767225600000,"
                        + "\"outcome\":\"duplicate\",\"id\":\"b\",\"duplicateOf\":\"a\","
                        + "\"duplicateOfPlace\":\"documents-0-2\",\"similarity\":0.75,"
                        + "\"similarityWhole\":0.875,\"containmentOfDuplicate\":0.5,\"containmentOfOriginal\":1.0,"
                        + "\"source\":\"Herald\",\"length\":1204,\"settings\":\"0123456789abcdef\"}");
    }

    @Test
    void shouldWriteNothingOfWhatIsNotKnown() {
        assertThat(new String(VerdictCodec.encode(unique(List.of("bucket", "rank"))), UTF_8))
                .isEqualTo("{\"topic\":\"documents\",\"partition\":3,\"offset\":17,\"timestamp\":-1,"
                        + "\"outcome\":\"unique\",\"id\":\"ü\\\"\","
                        + "\"nearest\":{\"id\":\"a\",\"place\":\"documents-0-2\",\"similarity\":0.61},"
                        + "\"bounded\":[\"bucket\",\"rank\"],"
                        + "\"settings\":\"0123456789abcdef\"}");
        assertThat(new String(VerdictCodec.encode("a", new Repeated("a", null, Similarity.of(1), null)), UTF_8))
                .as("the value of a duplicate")
                .isEqualTo("{\"id\":\"a\",\"duplicateOf\":\"a\",\"similarity\":1.0,\"version\":\"same-id\"}");
    }

    @Test
    void shouldReadWhatItWritesAndPassOverFieldsOfLaterReleases() throws IOException {
        for (Verdict verdict : List.of(
                DUPLICATE,
                unique(List.of()),
                unique(List.of("rank")),
                new Verdict(PLACE, 5, "x", Outcome.DEAD_LETTER, null, null, "too-large", List.of(), SETTINGS, null, 0),
                new Verdict(
                        PLACE,
                        5,
                        "documents-3-17",
                        Outcome.TOMBSTONE,
                        null,
                        null,
                        null,
                        List.of(),
                        SETTINGS,
                        null,
                        0))) {
            byte[] json = VerdictCodec.encode(verdict);
            String later = new String(json, UTF_8).replace("{", "{\"new\":{\"x\":[1]},");
            assertThat(VerdictCodec.decode(json)).isEqualTo(verdict);
            assertThat(VerdictCodec.decode(later.getBytes(UTF_8))).isEqualTo(verdict);
        }
    }

    @Test
    void shouldKeepWithinItsBoundWhateverTheIdsAre() {
        Verdict longest = new Verdict(
                new Position("t".repeat(249), Integer.MAX_VALUE, Long.MAX_VALUE),
                Long.MIN_VALUE,
                "\u0001".repeat(512),
                Outcome.DUPLICATE,
                new Repeated(
                        "\u0001".repeat(512),
                        new Position("t".repeat(249) + "#" + Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE)
                                .toString(),
                        new Similarity(1.0 / 3, 2.0 / 3, 1.0 / 7, 1.0 / 9),
                        "t".repeat(249)),
                null,
                null,
                List.of("bucket", "candidates", "rank"),
                SETTINGS,
                "\u0001".repeat(100),
                Integer.MAX_VALUE);

        assertThat(VerdictCodec.encode(longest)).hasSizeLessThan(VerdictCodec.BYTES_MAX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"documents-3-17", "a-1-2-0-9223372036854775", "-1-0-0"})
    void shouldReadAPositionAsItIsWritten(String place) {
        assertThat(Position.of(place)).map(Position::toString).contains(place);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "documents", "documents-1", "documents-1-x", "-1-1", "documents-1-9999999999999999999"})
    void shouldReadNoPositionOfAnotherText(String place) {
        assertThat(Position.of(place)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {'id':'a','text':'b'} | = none with an outcome
            {'outcome':'seed'} | an outcome that this release knows, found seed; take a release as new as the one that\
             wrote it
            {'outcome':'unique','topic':'t','offset':0,'timestamp':0,'id':'a'} | = none with a partition
            {'outcome':'unique','partition':-1} | a partition from 0, found -1
            {'outcome':'unique','topic':'t','partition':0,'timestamp':0,'id':'a'} | = none with an offset
            {'outcome':'unique','topic':'t','partition':0,'offset':0,'id':'a'} | = none with a timestamp
            {'outcome':'unique','offset':1e300} | = other JSON or none
            {'outcome':'unique','nearest':{'id':'a'}} | = other JSON or none
            [] | = other JSON or none
            nonsense | = other JSON or none
            ~~ | = other JSON or none
            """)
    void shouldRefuseWhatIsNoVerdictAndSayWhatIsMissing(String json, String found) {
        String fields = "all its fields, as on neardup.verdicts.topic and in verdicts.jsonl of local --out, found";
        assertThatThrownBy(() -> VerdictCodec.decode(json.replace('\'', '"').getBytes(UTF_8)))
                .isInstanceOf(IOException.class)
                .hasMessage("expected a verdict with " + found.replace("=", fields));
    }

    @Test
    void shouldReadOrRefuseAnyBytes() {
        SplittableRandom random = new SplittableRandom(7);
        byte[] good = VerdictCodec.encode(DUPLICATE);
        for (int i = 0; i < 4_000; i++) {
            byte[] bytes = good.clone();
            for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(VerdictCodec.decode(bytes)).isNotNull();
            } catch (IOException e) {
                assertThat(e).hasMessageStartingWith("expected a verdict");
            }
        }
    }
}
