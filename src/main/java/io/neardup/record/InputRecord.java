package io.neardup.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.record.Rejection.RejectedException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A record of an input topic, with everything that leaves unchanged on {@code unique}. The arrays and the
 * list are shared, not copied: nobody may change them.
 *
 * @param topic where it was read
 * @param partition where it was read, from 0
 * @param offset where it was read, from 0
 * @param timestamp milliseconds since 1970 as the producer or the broker set it; any value can occur
 * @param key null where the producer sent none
 * @param value null for a tombstone
 * @param headers in the order of the record, repeated names included
 */
@SuppressWarnings("ArrayRecordComponent") // equality by content, below
public record InputRecord(
        String topic,
        int partition,
        long offset,
        long timestamp,
        byte @Nullable [] key,
        byte @Nullable [] value,
        List<RecordHeader> headers) {

    /** The place of the record as {@code topic-partition-offset}: an id for documents that bring none. */
    public String place() {
        return topic + "-" + partition + "-" + offset;
    }

    /**
     * The value, in well-formed UTF-8.
     *
     * @throws RejectedException if it cannot be read as text, whatever its format
     */
    byte[] requireText(int bytesMax) throws RejectedException {
        byte[] text = requireValue(bytesMax);
        RawText.requireUtf8(text, Reason.NOT_UTF8, "");
        return text;
    }

    /**
     * The value, whatever bytes it has.
     *
     * @throws RejectedException if there is none, or too much of it
     */
    byte[] requireValue(int bytesMax) throws RejectedException {
        if (value == null) {
            throw new RejectedException(Reason.NULL_VALUE, "expected a value, found none");
        }
        if (value.length > bytesMax) {
            throw new RejectedException(
                    Reason.TOO_LARGE,
                    "expected a value of at most " + bytesMax + " bytes (neardup.document.bytes.max), found "
                            + value.length);
        }
        return value;
    }

    /** The last header of a name, as text: what the service adds stands behind what came in. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(lastHeader(name)).map(value -> new String(value, UTF_8));
    }

    byte @Nullable [] lastHeader(String name) {
        byte @Nullable [] found = null;
        for (RecordHeader header : headers) {
            found = header.name().equals(name) ? header.value() : found;
        }
        return found;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof InputRecord that
                && topic.equals(that.topic)
                && partition == that.partition
                && offset == that.offset
                && timestamp == that.timestamp
                && Arrays.equals(key, that.key)
                && Arrays.equals(value, that.value)
                && headers.equals(that.headers);
    }

    @Override
    public int hashCode() {
        return Objects.hash(topic, partition, offset, timestamp, Arrays.hashCode(key), Arrays.hashCode(value), headers);
    }

    /** The place and the sizes only, never document text. */
    @Override
    public String toString() {
        return place() + "(key " + size(key) + ", value " + size(value) + ")";
    }

    /** Bytes are shown by their number, never by their content. */
    static String size(byte @Nullable [] bytes) {
        return bytes == null ? "null" : bytes.length + " bytes";
    }
}
