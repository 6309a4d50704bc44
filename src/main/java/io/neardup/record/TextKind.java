package io.neardup.record;

import io.neardup.engine.text.HtmlBoundException;
import io.neardup.engine.text.HtmlText;
import io.neardup.record.Rejection.RejectedException;

/** What stands where a document has its text. */
public enum TextKind {
    STRING("a string", ""),
    /** A string of HTML; the text is what the markup shows. */
    HTML("a string", "the HTML at "),
    /** An array of numbers. The text has them as they are written, with one space between. */
    NUMBERS("an array of numbers", "");

    private final String description;
    private final String wrapping;

    TextKind(String description, String wrapping) {
        this.description = description;
        this.wrapping = wrapping;
    }

    /** Where a text was looked for, for messages. */
    String place(String where) {
        return wrapping + where;
    }

    /**
     * The text of what was found.
     *
     * @throws RejectedException if it is HTML beyond a bound
     */
    RawText text(RawText found) throws RejectedException {
        if (this != HTML) {
            return found;
        }
        if (found.length() > HtmlText.BYTES_MAX) {
            throw new RejectedException(
                    Reason.TOO_LARGE,
                    "expected at most " + HtmlText.BYTES_MAX + " bytes of HTML, found " + found.length());
        }
        try {
            return RawText.of(HtmlText.ofFragment(found.decode()));
        } catch (HtmlBoundException e) {
            throw new RejectedException(
                    e.isDepth() ? Reason.TOO_DEEP : Reason.TOO_LARGE, String.valueOf(e.getMessage()));
        }
    }

    /** For messages, with its article. */
    String description() {
        return description;
    }
}
