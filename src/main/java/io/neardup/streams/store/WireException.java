package io.neardup.streams.store;

/** Bytes that are not to be used: of another version, cut off, not ours, or too old. */
public final class WireException extends RuntimeException {
    private static final long serialVersionUID = 1;

    WireException(String message) {
        super(message);
    }
}
