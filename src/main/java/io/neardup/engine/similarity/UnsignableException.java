package io.neardup.engine.similarity;

import java.util.Objects;

/** A text that a family cannot compare. Its record goes to the dead-letter topic. */
public final class UnsignableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean tooLarge;

    /** @param message what was expected and what was found; never the text itself, as it goes into headers and logs */
    public UnsignableException(String message) {
        this(message, false);
    }

    private UnsignableException(String message, boolean tooLarge) {
        super(message, null, false, false);
        this.tooLarge = tooLarge;
    }

    /** Of a text that is over a limit. */
    static UnsignableException tooLarge(String message) {
        return new UnsignableException(message, true);
    }

    public boolean isTooLarge() {
        return tooLarge;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
