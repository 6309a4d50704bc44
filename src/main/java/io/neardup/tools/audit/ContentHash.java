package io.neardup.tools.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.engine.text.Hash128;
import io.neardup.record.InputRecord;
import io.neardup.record.RecordHeader;
import io.neardup.streams.topology.OutputRecords;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hashes the parts of records: the first 64 bits of SHA-256, so that two are hardly ever taken for one by chance. For
 * one thread.
 */
final class ContentHash {
    private static final byte[] NO_VALUE = {1};

    private final Hash128 hash = new Hash128();
    private final boolean withTimestamps;

    /** @param withTimestamps whether the outputs keep the timestamps of documents */
    ContentHash(boolean withTimestamps) {
        this.withTimestamps = withTimestamps;
    }

    /**
     * What a record is recognised by when it comes out again: hashes of its parts, 0 where there is none, and its
     * timestamp.
     *
     * @param headers without those that the service adds
     * @param timestamp milliseconds since 1970; 0 where it is not compared, or the record has none
     */
    record Content(long key, long value, long headers, long timestamp) {

        /** The parts of a dead letter that are not as they came: it may have got a key, and another timestamp. */
        List<String> differences(Content deadLetter) {
            List<String> parts = new ArrayList<>();
            if (key != deadLetter.key && key != 0) {
                parts.add("key");
            }
            if (value != deadLetter.value) {
                parts.add("value");
            }
            if (headers != deadLetter.headers) {
                parts.add("headers");
            }
            return parts;
        }
    }

    Content of(InputRecord record) {
        return new Content(
                hash(record.key()), hash(record.value()), headers(OutputRecords.given(record)), timestamp(record));
    }

    /** As {@link #of}, of a record whose value was replaced: its id stands for that. */
    Content ofVerdict(InputRecord record, String id) {
        return new Content(hash(record.key()), hash(id), headers(OutputRecords.given(record)), timestamp(record));
    }

    long hash(String text) {
        return hash(text.getBytes(UTF_8));
    }

    /** 0 where there is nothing. */
    long hash(byte @Nullable [] bytes) {
        return bytes == null ? 0 : first(bytes);
    }

    private long headers(List<RecordHeader> headers) {
        if (headers.isEmpty()) {
            return 0;
        }
        List<byte[]> parts = new ArrayList<>();
        for (RecordHeader header : headers) {
            byte[] name = header.name().getBytes(UTF_8);
            byte[] value = header.value();
            parts.add(ByteBuffer.allocate(8)
                    .putInt(name.length)
                    .putInt(value == null ? 0 : value.length)
                    .array());
            parts.add(name);
            parts.add(value == null ? NO_VALUE : value);
        }
        return first(parts.toArray(byte[][]::new));
    }

    /** A record of before Kafka 0.10 has -1 and leaves with 0. */
    private long timestamp(InputRecord record) {
        return withTimestamps ? Math.max(0, record.timestamp()) : 0;
    }

    private long first(byte[]... parts) {
        return ByteBuffer.wrap(hash.of(parts)).getLong();
    }
}
