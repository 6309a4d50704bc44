package io.neardup.service.lifecycle;

import io.neardup.record.Reason;

/** A document was not checked; the message says why. */
public final class CheckException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Cause kind;
    private final String reason;

    /** What hindered the check. */
    public enum Cause {
        /** The document would be a dead letter. */
        REJECTED,
        /** It would be one, as it is too large. */
        TOO_LARGE,
        /** Too many checks are open; later it may go. */
        BUSY,
        /** Not all answers came in time: a task is restored or moves, or there is too much to do. */
        TIMEOUT,
        /** The service ends, or the cluster refuses it. */
        FAILED
    }

    /**
     * As told.
     *
     * @param reason the code that a dead letter would have; empty where there would be none
     */
    CheckException(Cause kind, String reason, String message) {
        super(message);
        this.kind = kind;
        this.reason = reason;
    }

    /** More are open than may be. */
    public static CheckException busy() {
        return new CheckException(
                Cause.BUSY,
                "",
                "expected at most " + DocumentChecks.OPEN_MAX + " checks at a time, found more; try again");
    }

    static CheckException rejected(Reason reason, String detail) {
        Cause kind = reason == Reason.TOO_LARGE ? Cause.TOO_LARGE : Cause.REJECTED;
        return new CheckException(kind, reason.code(), detail);
    }

    /** What hindered a check that ended with a failure. */
    public static CheckException of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CheckException known) {
                return known;
            }
        }
        return new CheckException(Cause.FAILED, "", "the check failed: " + failure);
    }

    public Cause kind() {
        return kind;
    }

    /** The code that a dead letter would have; empty where there would be none. */
    public String reason() {
        return reason;
    }
}
