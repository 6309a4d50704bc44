package io.neardup.tools.feed;

import java.io.IOException;

/** What follows in a file cannot be read: its packing or its syntax is broken there, or it breaks off. */
final class DamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Skip skip;
    private final long offset;

    /**
     * One that is met.
     *
     * @param skip as what the part counts that is lost with it
     * @param offset of the part, as {@link PackedInput#offset}
     */
    DamagedException(Skip skip, long offset, String message) {
        super(message);
        this.skip = skip;
        this.offset = offset;
    }

    Skip skip() {
        return skip;
    }

    long offset() {
        return offset;
    }
}
