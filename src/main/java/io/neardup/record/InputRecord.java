package io.neardup.record;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A record of an input topic, with everything that leaves unchanged on {@code unique}. The arrays are shared, not
 * copied: nobody may change them.
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

    // Not the compact form: javac 17 leaves its parameters' annotations out of the class file, so null would be
    // refused.
    public InputRecord(
            String topic,
            int partition,
            long offset,
            long timestamp,
            byte @Nullable [] key,
            byte @Nullable [] value,
            List<RecordHeader> headers) {
        this.topic = topic;
        this.partition = partition;
        this.offset = offset;
        this.timestamp = timestamp;
        this.key = key;
        this.value = value;
        this.headers = List.copyOf(headers);
    }

    /** The place of the record as {@code topic-partition-offset}: an id for documents that bring none. */
    public String place() {
        return topic + "-" + partition + "-" + offset;
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
