package io.neardup.record;

import io.neardup.record.Rejection.RejectedException;
import org.jspecify.annotations.Nullable;

/**
 * A document as its producer wrote it.
 *
 * @param id 1 to {@value DocumentIds#BYTES_MAX} bytes as UTF-8
 * @param text the raw text, not normalized; it has a code point that is not white space
 * @param scope only documents of equal scope are compared; empty for those without one
 */
public record Document(String id, RawText text, String scope) implements DocumentReader.Result {

    /** The id and the length only, never document text. */
    @Override
    public String toString() {
        return "Document(" + id + ", " + text + ")";
    }

    /**
     * The document.
     *
     * @param scope null for none
     * @param place of the text, for messages
     * @throws RejectedException if there is nothing to compare
     */
    static Document of(String id, RawText text, @Nullable String scope, String place) throws RejectedException {
        if (text.isBlank()) {
            throw new RejectedException(
                    Reason.BLANK_TEXT,
                    "expected text at " + place + ", found only white space, "
                            + text.decode().length() + " characters");
        }
        return new Document(id, text, scope == null ? "" : scope);
    }
}
