package io.neardup.check;

/** A document was not checked; the message says why. */
public final class CheckException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Cause kind;
    private final String reason;

    /** What hindered the check. */
    public enum Cause {
        /** The document would be a dead letter. */
        REJECTED,
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
