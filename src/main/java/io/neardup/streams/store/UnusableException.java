package io.neardup.streams.store;

import java.io.IOException;

/** What lies on disk is not to be used; the message says why. */
final class UnusableException extends IOException {
    private static final long serialVersionUID = 1;

    UnusableException(String message) {
        super(message);
    }
}
