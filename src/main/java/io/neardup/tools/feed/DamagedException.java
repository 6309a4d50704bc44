package io.neardup.tools.feed;

import java.io.IOException;

/** What follows in a file cannot be read: its packing or its syntax is broken there, or it breaks off. */
final class DamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Skip skip;
    private final long offset;

    /** What is lost counts as the skip; its offset is as {@link PackedInput#offset}, the message without content. */
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
