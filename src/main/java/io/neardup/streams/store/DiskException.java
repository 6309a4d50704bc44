package io.neardup.streams.store;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The disk does not let state be kept there; the cause of all causes says why. */
public final class DiskException extends UncheckedIOException {
    private static final long serialVersionUID = 1;

    private final String cause;
    private final boolean damage;

    DiskException(String message, Throwable cause, boolean damage) {
        super(message, new IOException(message, cause));
        this.cause = cause.toString();
        this.damage = damage;
    }

    /** With what the disk says, for logs that have no room for causes. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // The message alone is for operators, who see the causes too.
    public String toString() {
        return super.toString() + ": " + cause;
    }

    /** Whether what lies there is damaged: it is restored from the changelog when it is opened the next time. */
    public boolean isDamage() {
        return damage;
    }
}
