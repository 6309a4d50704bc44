package io.neardup.tools.feed;

import org.jspecify.annotations.Nullable;

/** A feed cannot be sent; the message is for operators. */
public final class PublishException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** As told. */
    public PublishException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
