package io.neardup.record;

import org.jspecify.annotations.Nullable;

/**
 * Where a reader writes texts that do not stand in their records as they are. A text that was written here is there
 * until the next one is read. For one reader, which is for one thread then.
 */
public final class TextRoom {
    /** None: each text gets its own array and stays; for any number of readers and threads. */
    public static final TextRoom NONE = new TextRoom(0);

    /** Longer ones get their own arrays, too. */
    private static final int BYTES_MAX = 64 * 1024;

    private final int bytesMax;
    private byte[] room = {};

    private TextRoom(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    public static TextRoom ofOneReader() {
        return new TextRoom(BYTES_MAX);
    }

    /** An array for a text of at most so many bytes, with anything in it; null where there is none. */
    byte @Nullable [] take(int bytes) {
        if (bytes > bytesMax) {
            return null;
        }
        if (room.length < bytes) {
            room = new byte[Math.min(bytesMax, 2 * bytes)];
        }
        return room;
    }
}
