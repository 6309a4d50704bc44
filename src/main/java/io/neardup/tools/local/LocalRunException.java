package io.neardup.tools.local;

/** A local run could not be finished. The message is for the operator. */
public final class LocalRunException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LocalRunException(String message, Throwable cause) {
        super(message, cause);
    }
}
