package io.neardup.streams;

import io.neardup.protocol.RecordKey;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Record keys of any length as 128 bits: the first half of their SHA-256 (FIPS 180-4). For one thread. */
final class RecordKeys {
    private final MessageDigest sha256;

    RecordKeys() {
        try {
            this.sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    RecordKey of(byte[] key) {
        ByteBuffer digest = ByteBuffer.wrap(sha256.digest(key));
        return new RecordKey(digest.getLong(), digest.getLong());
    }
}
