package io.neardup.tools.feed;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The bytes that a file is packed with break off, or are not what they should be. */
final class DamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Skip skip;

    private DamagedException(Skip skip, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.skip = skip;
    }

    /** They break off. */
    static DamagedException cut(String message) {
        return new DamagedException(Skip.TRUNCATED, message, null);
    }

    /** They are others than were packed. */
    static DamagedException broken(String message, @Nullable Throwable cause) {
        return new DamagedException(Skip.BROKEN, message, cause);
    }

    /** As what a part counts that is lost with them. */
    Skip skip() {
        return skip;
    }
}
