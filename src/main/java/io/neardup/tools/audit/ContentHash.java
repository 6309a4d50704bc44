package io.neardup.tools.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.record.InputRecord;
import io.neardup.record.RecordHeader;
import io.neardup.streams.topology.OutputRecords;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * The first 64 bits of SHA-256, so that nobody can make two records that are taken for one. It keeps scratch state: one
 * instance for one thread.
 */
final class ContentHash {
    private final MessageDigest digest;

    ContentHash() {
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Of key, value and headers, without the headers that the service adds. */
    long of(InputRecord record) {
        return of(record, record.value());
    }

    /** The same of a record that leaves with something else in place of its value. */
    long of(InputRecord record, byte @Nullable [] value) {
        add(record.key());
        add(value);
        for (RecordHeader header : OutputRecords.given(record)) {
            add(header.name().getBytes(UTF_8));
            add(header.value());
        }
        return result();
    }

    long of(String text) {
        return of(text.getBytes(UTF_8));
    }

    long of(byte @Nullable [] bytes) {
        add(bytes);
        return result();
    }

    private void add(byte @Nullable [] bytes) {
        int length = bytes == null ? -1 : bytes.length;
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(length).flip());
        if (bytes != null) {
            digest.update(bytes);
        }
    }

    private long result() {
        return ByteBuffer.wrap(digest.digest()).getLong();
    }
}
