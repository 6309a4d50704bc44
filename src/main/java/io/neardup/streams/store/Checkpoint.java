package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Up to where in which changelog a store reaches. It is written with the changes themselves, all at once.
 *
 * <p>Layout, big endian: version, offset, time, the name of the changelog's partition.
 *
 * @param changelog a name that no partition of another changelog has, of this index or another
 * @param offset of the last changelog record that is in the store
 * @param millis when that was written, by this machine's clock
 */
record Checkpoint(String changelog, long offset, long millis) {
    static final byte VERSION = 3;

    private static final int BYTES_MIN = 1 + 2 * Long.BYTES;

    byte[] encode() {
        byte[] name = changelog.getBytes(UTF_8);
        return ByteBuffer.allocate(BYTES_MIN + name.length)
                .put(VERSION)
                .putLong(offset)
                .putLong(millis)
                .put(name)
                .array();
    }

    /** @throws IOException if it is of another version, or of none */
    static Checkpoint decode(byte[] bytes) throws IOException {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        if (bytes.length < BYTES_MIN || from.get() != VERSION) {
            throw new IOException("where it reaches: expected version " + VERSION + " in at least " + BYTES_MIN
                    + " bytes, found " + (bytes.length == 0 ? "none" : bytes[0]) + " in " + bytes.length);
        }
        long offset = from.getLong();
        long millis = from.getLong();
        return new Checkpoint(UTF_8.decode(from).toString(), offset, millis);
    }

    /** Whether it was written longer ago than that; a time that lies as far ahead is no better. */
    boolean isOlderThan(Duration age, long nowMillis) {
        return Math.abs(nowMillis - millis) > age.toMillis();
    }
}
