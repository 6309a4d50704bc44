package io.neardup.originals;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The disk does not let originals be kept there; the cause of all causes says why. */
public final class DiskException extends UncheckedIOException {
    private static final long serialVersionUID = 1;

    DiskException(String message, Exception cause) {
        super(new IOException(message, cause));
    }
}
