package io.neardup.tools.feed;

import static io.neardup.testing.Records.header;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.record.InputRecord;
import io.neardup.record.Reason;
import io.neardup.record.RecordHeader;
import io.neardup.streams.topology.OutputRecords;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DeadLetterTest {
    private static final RecordHeader OWN = header("trace", "1");

    @Test
    void shouldCountHowOftenItWasSentBack() {
        DeadLetter twice = letter("k", header(OutputRecords.REDRIVEN, "2"), OWN, header("trace", "2"));
        DeadLetter nonsense = letter("k", header(OutputRecords.REDRIVEN, "x"), header(OutputRecords.REDRIVEN, "-1"));

        assertThat(twice.times()).isEqualTo(2);
        assertThat(twice.again()).isEqualTo(input("k", OWN, header("trace", "2"), header(OutputRecords.REDRIVEN, "3")));
        assertThat(nonsense.times()).isZero();
        assertThat(nonsense.again()).isEqualTo(input("k", header(OutputRecords.REDRIVEN, "1")));
    }

    @Test
    void shouldHaveNoKeyWhereTheTopicNeededOne() {
        assertThat(letter("documents-2-11").again().key()).isNull();
    }

    @Test
    void shouldBeNothingWithoutTheHeadersOfADeadLetter() {
        assertThat(DeadLetter.of(record("dead-letter", 0, "k", List.of(OWN)))).isEmpty();
        assertThat(DeadLetter.of(record("dead-letter", 0, "k", headers().subList(0, 2))))
                .isEmpty();
    }

    private static DeadLetter letter(String key, RecordHeader... own) {
        List<RecordHeader> headers = headers(own);
        headers.add(header(OutputRecords.ID, "i"));
        return DeadLetter.of(record("dead-letter", 0, key, headers)).orElseThrow();
    }

    private static List<RecordHeader> headers(RecordHeader... own) {
        return new ArrayList<>(Stream.concat(
                        Stream.of(own),
                        Stream.of(
                                header(OutputRecords.REASON, "no-text"),
                                header(OutputRecords.DETAIL, "expected text"),
                                header(OutputRecords.SOURCE_TOPIC, "documents"),
                                header(OutputRecords.SOURCE_PARTITION, "2"),
                                header(OutputRecords.SOURCE_OFFSET, "11")))
                .toList());
    }

    private static InputRecord input(String key, RecordHeader... headers) {
        return record("documents", 2, key, List.of(headers));
    }

    private static InputRecord record(String topic, int partition, String key, List<RecordHeader> headers) {
        return new InputRecord(topic, partition, 5, 1_700L, key.getBytes(UTF_8), "{}".getBytes(UTF_8), headers);
    }

    // ---- where each reason is

    @Test
    void shouldKeepAPositionForEachReason() {
        EnumMap<Reason, Long> positions = new EnumMap<>(Map.of(Reason.NO_TEXT, 7L, Reason.NOT_JSON, 5L));

        assertThat(Redrive.metadata(positions)).isEqualTo("not-json=5 no-text=7");
        assertThat(Redrive.positions("not-json=5 no-text=7")).isEqualTo(positions);
        assertThat(Redrive.positions("")).isEmpty();
        assertThat(Redrive.positions("later-reason=3 no-text=7")).containsExactly(Map.entry(Reason.NO_TEXT, 7L));
    }

    /** A cluster takes 4,096 bytes. */
    @Test
    void shouldFitIntoTheMetadataOfAnOffset() {
        EnumMap<Reason, Long> positions = new EnumMap<>(Reason.class);
        EnumSet.allOf(Reason.class).forEach(reason -> positions.put(reason, Long.MAX_VALUE));

        assertThat(Redrive.metadata(positions)).hasSizeLessThan(1_000);
    }
}
