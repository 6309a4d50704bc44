package io.neardup.streams.topology;

import io.neardup.record.InputRecord;
import io.neardup.record.Reason;
import io.neardup.record.RecordHeader;
import io.neardup.record.Rejection;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * What a topic accepts. A record outside of it would be refused by the broker in the middle of a transaction, again at
 * every restart: it must be found before it is sent.
 *
 * @param recordBytesMax the largest record, in a batch of its own
 * @param pastMaxMillis how far behind the broker's clock a timestamp may be
 * @param futureMaxMillis how far ahead of it
 * @param keyNeeded whether a record must have a key, as in a compacted topic
 */
public record OutputLimits(long recordBytesMax, long pastMaxMillis, long futureMaxMillis, boolean keyNeeded) {
    /** Batch header and the lengths of a record's fields, at the most. */
    private static final int OVERHEAD_BYTES = 100;

    private static final int HEADER_OVERHEAD_BYTES = 10;

    /** What does not compress gets longer: LZ4 adds a frame header, and 4 bytes for each block of 64 KB. */
    private static final int COMPRESSION_OVERHEAD_BYTES = 64;

    private static final int COMPRESSION_GROWTH_SHIFT = 12;

    /** A record waits for its decision before it is sent; in that time it grows older, and clocks differ. */
    private static final long PAST_MARGIN_MILLIS_MAX = 3_600_000;

    private static final long FUTURE_MARGIN_MILLIS_MAX = 60_000;

    /** Of what is not written: anything is carried. */
    private static final OutputLimits ANYTHING =
            new OutputLimits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, false);

    /** Limits that keep a record within both. */
    public OutputLimits and(OutputLimits other) {
        return new OutputLimits(
                Math.min(recordBytesMax, other.recordBytesMax),
                Math.min(pastMaxMillis, other.pastMaxMillis),
                Math.min(futureMaxMillis, other.futureMaxMillis),
                keyNeeded || other.keyNeeded);
    }

    /** Room for headers that are added to a record. */
    public OutputLimits lessBytes(int added) {
        return new OutputLimits(recordBytesMax - added, pastMaxMillis, futureMaxMillis, keyNeeded);
    }

    /**
     * What each output carries.
     *
     * @param newDocuments of a new document, which may come out on either of the first two
     */
    public record ByOutput(
            OutputLimits unique, OutputLimits duplicates, OutputLimits deadLetter, OutputLimits newDocuments) {

        /** Where no records leave. */
        public static final ByOutput NONE = new ByOutput(ANYTHING, ANYTHING, ANYTHING);

        public ByOutput(OutputLimits unique, OutputLimits duplicates, OutputLimits deadLetter) {
            this(
                    unique,
                    duplicates,
                    deadLetter.withMargins(),
                    unique.lessBytes(OutputRecords.UNIQUE_BYTES_MAX)
                            .and(duplicates.lessBytes(OutputRecords.DUPLICATE_BYTES_MAX))
                            .withMargins());
        }
    }

    /** Room for what may change before a record is sent: it waits for its decision, and the broker's clock differs. */
    public OutputLimits withMargins() {
        return new OutputLimits(
                recordBytesMax,
                pastMaxMillis - margin(pastMaxMillis, PAST_MARGIN_MILLIS_MAX),
                futureMaxMillis - margin(futureMaxMillis, FUTURE_MARGIN_MILLIS_MAX),
                keyNeeded);
    }

    /**
     * Why a record, or what is made of it, cannot be carried, if it cannot.
     *
     * @param bytes the most that what is sent takes in a batch of its own, see {@link #bytesMax}
     */
    Optional<Rejection> check(InputRecord input, long bytes, long nowMillis) {
        if (bytes > recordBytesMax) {
            String detail = "expected a record of at most " + recordBytesMax
                    + " bytes, as the output topics carried when this instance started, found " + bytes
                    + " with key, headers and batch";
            return Optional.of(new Rejection(Reason.TOO_LARGE, detail, null));
        }
        if (!carriesTimestamp(input.timestamp(), nowMillis)) {
            String detail = "expected a timestamp that the output topics carried when this instance started, from "
                    + pastMaxMillis
                    + " ms behind to " + futureMaxMillis + " ms ahead of the clock, found "
                    + (input.timestamp() - nowMillis) + " ms ahead";
            return Optional.of(new Rejection(Reason.TIMESTAMP_OUT_OF_RANGE, detail, null));
        }
        if (keyNeeded && input.key() == null) {
            return Optional.of(new Rejection(
                    Reason.NULL_KEY,
                    "expected a key, as an output topic was compacted when this instance started, found none",
                    null));
        }
        return Optional.empty();
    }

    public boolean carriesTimestamp(long timestamp, long nowMillis) {
        // Differences in floating point: timestamps may be any long, and these may overflow.
        double aheadMillis = (double) timestamp - nowMillis;
        return aheadMillis <= futureMaxMillis && -aheadMillis <= pastMaxMillis;
    }

    /** The broker's clock may be behind ours; half of a range at the most, as the present must always be within. */
    private static long margin(long maxMillis, long marginMillisMax) {
        return maxMillis == Long.MAX_VALUE ? 0 : Math.min(marginMillisMax, maxMillis / 2);
    }

    /** What a record takes in a batch of its own, at the most. */
    public static long bytesMax(InputRecord input) {
        long sum = OVERHEAD_BYTES + length(input.key()) + length(input.value());
        for (RecordHeader header : input.headers()) {
            sum += bytes(header.name(), header.value());
        }
        return compressedMax(sum);
    }

    static long bytesMax(Record<Routed, byte[]> output) {
        return compressedMax(
                OVERHEAD_BYTES + length(output.key().key()) + length(output.value()) + bytes(output.headers()));
    }

    /** What headers take, before compression. */
    static long bytes(Headers headers) {
        long sum = 0;
        for (Header header : headers) {
            sum += bytes(header.key(), header.value());
        }
        return sum;
    }

    private static long bytes(String name, byte @Nullable [] value) {
        return HEADER_OVERHEAD_BYTES + Utils.utf8Length(name) + length(value);
    }

    private static long compressedMax(long bytes) {
        return bytes + COMPRESSION_OVERHEAD_BYTES + (bytes >> COMPRESSION_GROWTH_SHIFT);
    }

    private static long length(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }
}
