package io.neardup.record;

import org.jspecify.annotations.Nullable;

/**
 * Why a record is not a document.
 *
 * @param reason for programs
 * @param detail for people: expected, found and where; at most {@value #DETAIL_LENGTH_MAX} characters, as
 *     {@link Printable} has them, and never text of the document. Longer ones are cut.
 * @param id the document's id where it was found before the error, else null
 */
public record Rejection(
        Reason reason, String detail, @Nullable String id) implements DocumentReader.Result {

    /** The longest detail, in characters. */
    public static final int DETAIL_LENGTH_MAX = 300;

    // Not the compact form: javac 17 leaves its parameters' annotations out of the class file, so null would be
    // refused.
    public Rejection(Reason reason, String detail, @Nullable String id) {
        this.reason = reason;
        this.detail = cut(Printable.of(detail));
        this.id = id;
    }

    private static String cut(String detail) {
        return detail.length() <= DETAIL_LENGTH_MAX ? detail : detail.substring(0, DETAIL_LENGTH_MAX - 3) + "...";
    }

    /** Ends the reading of a value that is not a document. The reader turns it into a rejection. */
    static final class RejectedException extends Exception {
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
}
