package io.neardup.feed;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The bytes that a file is packed with break off, or are not what they should be. */
final class DamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
