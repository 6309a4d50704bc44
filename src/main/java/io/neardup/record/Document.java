package io.neardup.record;

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
     * The document, or its rejection where there is nothing to compare.
     *
     * @param place of the text, for messages
     */
    static DocumentReader.Result of(String id, RawText text, String scope, String place) {
        if (text.isBlank()) {
            String detail = "expected text at " + place + ", found only white space, "
                    + text.decode().length() + " characters";
            return new Rejection(Reason.BLANK_TEXT, detail, id);
        }
        return new Document(id, text, scope);
    }
}
