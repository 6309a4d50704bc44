package io.neardup.bench;

import org.jspecify.annotations.Nullable;

/** A benchmark could not be run to its end; the message is for whoever started it. */
public final class BenchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BenchException(String message) {
        super(message);
    }

    public BenchException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
