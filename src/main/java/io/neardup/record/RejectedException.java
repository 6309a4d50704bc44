package io.neardup.record;

import org.jspecify.annotations.Nullable;

/** Ends the reading of a value that is not a document. The reader turns it into a {@link Rejection}. */
final class RejectedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    RejectedException(Reason reason, String detail) {
        super(detail, null, false, false); // no stack trace: bad input is no error of the program
        this.reason = reason;
    }

    Rejection rejection(@Nullable String id) {
        return new Rejection(reason, String.valueOf(getMessage()), id);
    }
}
