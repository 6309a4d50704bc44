package io.neardup.streams.store;

/** Bytes that this release cannot read: of another version, cut off, or not ours. */
public final class WireException extends RuntimeException {
    private static final long serialVersionUID = 1;

    WireException(String message) {
        super(message);
    }
}
