package io.neardup.streams.input;

/** Records of the input may have been deleted before they had left, or it ends before the position reached in it. */
public final class InputDeletedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InputDeletedException(String message) {
        super(message);
    }
}
