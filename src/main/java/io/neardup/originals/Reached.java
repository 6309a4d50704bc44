package io.neardup.originals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Up to where in its changelog a store reaches. It is written with the changes themselves, all at once.
 *
 * <p>Layout, big endian: version, offset, time.
 *
 * @param offset of the last changelog record that is in the store
 * @param millis when that was written, by this machine's clock
 */
record Reached(long offset, long millis) {
    static final byte VERSION = 2;

    private static final int BYTES = 1 + 2 * Long.BYTES;

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .put(VERSION)
                .putLong(offset)
                .putLong(millis)
                .array();
    }

    /** @throws IOException if it is of another version, or of none */
    static Reached decode(byte[] bytes) throws IOException {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        if (bytes.length != BYTES || from.get() != VERSION) {
            throw new IOException("where it reaches: expected version " + VERSION + " in " + BYTES + " bytes, found "
                    + (bytes.length == 0 ? "none" : bytes[0]) + " in " + bytes.length);
        }
        return new Reached(from.getLong(), from.getLong());
    }

    /** Whether it was written longer ago than that; a time that lies as far ahead is no better. */
    boolean isOlderThan(Duration age, long nowMillis) {
        return Math.abs(nowMillis - millis) > age.toMillis();
    }
}
