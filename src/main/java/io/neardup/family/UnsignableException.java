package io.neardup.family;

import java.util.Objects;

/** A text that a family cannot compare. Its record goes to the dead-letter topic. */
public final class UnsignableException extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param message what was expected and what was found; never the text itself, as it goes into headers and logs */
    public UnsignableException(String message) {
        super(message, null, false, false);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
