package io.neardup.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.record.InputRecord;
import io.neardup.record.Reason;
import io.neardup.record.RecordHeader;
import io.neardup.record.Rejection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutputLimitsTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final long HOUR = 3_600_000;
    private static final OutputLimits LIMITS = new OutputLimits(1_000, 24 * HOUR, HOUR, false);

    @Test
    void shouldTakeAnyKeyWhereOneIsNeeded() {
        OutputLimits compacted = new OutputLimits(1_000, Long.MAX_VALUE, Long.MAX_VALUE, true);
        InputRecord record = record(NOW, new byte[0], 5);
        assertThat(compacted.check(record, OutputLimits.bytesMax(record), NOW)).isEmpty();
    }

    @Test
    void shouldNeverTakeARecordForSmallerThanItsBatchIs() {
        Random random = new Random(3);
        for (int i = 0; i < 300; i++) {
            List<RecordHeader> headers = new ArrayList<>();
            for (int h = random.nextInt(5); h > 0; h--) {
                headers.add(new RecordHeader("ä".repeat(random.nextInt(100)), bytesOrNull(random)));
            }
            InputRecord input =
                    new InputRecord("documents", 0, i, NOW, bytesOrNull(random), bytesOrNull(random), headers);

            assertThat(OutputLimits.bytesMax(input)).isGreaterThanOrEqualTo(bytesOfBatch(input));
        }
    }

    /** Random bytes do not compress: LZ4 makes them longer. */
    private static byte @Nullable [] bytesOrNull(Random random) {
        if (random.nextInt(4) == 0) {
            return null;
        }
        byte[] bytes = new byte[random.nextInt(3) * random.nextInt(200_000)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static int bytesOfBatch(InputRecord input) {
        RecordHeaders headers = new RecordHeaders();
        input.headers().forEach(header -> headers.add(header.name(), header.value()));
        SimpleRecord record = new SimpleRecord(input.timestamp(), input.key(), input.value(), headers.toArray());
        return Math.max(
                MemoryRecords.withRecords(Compression.NONE, record).sizeInBytes(),
                MemoryRecords.withRecords(Compression.lz4().build(), record).sizeInBytes());
    }

    @ParameterizedTest
    @CsvSource({
        "0, true",
        // A minute is kept back for a broker whose clock is behind.
        "3540000, true",
        "3540001, false",
        // An hour is kept back for the wait until it is decided.
        "-82800000, true",
        "-82800001, false",
        "9223370336854775807, false",
        "-1700000000000, false",
    })
    void shouldCompareTimestampsOfNewDocumentsWithTheClock(long aheadMillis, boolean carried) {
        OutputLimits limits = LIMITS.withMargins();

        assertThat(limits.carriesTimestamp(NOW + aheadMillis, NOW)).isEqualTo(carried);
        InputRecord record = record(NOW + aheadMillis, null, 5);
        assertThat(limits.check(record, OutputLimits.bytesMax(record), NOW).map(Rejection::reason))
                .isEqualTo(carried ? Optional.empty() : Optional.of(Reason.TIMESTAMP_OUT_OF_RANGE));
    }

    @Test
    void shouldLeaveAMarginToDocumentsAndDeadLettersAlone() {
        OutputLimits unique = new OutputLimits(50_000, 24 * HOUR, HOUR, false);
        OutputLimits duplicates = new OutputLimits(40_000, Long.MAX_VALUE, HOUR, true);
        OutputLimits deadLetter = new OutputLimits(30_000, 10 * HOUR, HOUR, false);

        OutputLimits.ByOutput limits = new OutputLimits.ByOutput(unique, duplicates, deadLetter);

        assertThat(limits.unique()).isEqualTo(unique);
        assertThat(limits.duplicates()).isEqualTo(duplicates);
        assertThat(limits.deadLetter()).isEqualTo(new OutputLimits(30_000, 9 * HOUR, HOUR - 60_000, false));
        assertThat(limits.newDocuments())
                .isEqualTo(
                        new OutputLimits(40_000 - OutputRecords.DUPLICATE_BYTES_MAX, 23 * HOUR, HOUR - 60_000, true));
    }

    /** Of the margin that must not take all there is, where the topic takes little of the past. */
    @ParameterizedTest
    @CsvSource({
        "0, false",
        "1, false",
        "1700000000000, true",
        "1699999940000, true",
        "1699999400000, false",
        "9223372036854775807, false"
    })
    void shouldTakeAnyTimestampWhereTheTopicDoesAndThePresentEverywhere(long timestamp, boolean isOfLastMinutes) {
        OutputLimits any = new OutputLimits(1_000, Long.MAX_VALUE, Long.MAX_VALUE, false);
        OutputLimits minutes = new OutputLimits(1_000, 10 * 60_000, HOUR, false).withMargins();
        assertThat(any.carriesTimestamp(timestamp, NOW)).isTrue();
        assertThat(any.carriesTimestamp(timestamp, 0)).isTrue();
        assertThat(minutes.carriesTimestamp(timestamp, NOW)).isEqualTo(isOfLastMinutes);
    }

    private static InputRecord record(long timestamp, byte @Nullable [] key, int valueBytes) {
        return new InputRecord("documents", 0, 7, timestamp, key, new byte[valueBytes], List.of());
    }
}
