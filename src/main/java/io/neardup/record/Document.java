package io.neardup.record;

/**
 * A document as its producer wrote it.
 *
 * @param id 1 to {@value DocumentIds#BYTES_MAX} bytes as UTF-8
 * @param text the raw text, not normalized; it has a code point that is not white space
 * @param scope only documents of equal scope are compared; empty for those without one
 */
public record Document(String id, RawText text, String scope) implements ReadResult {

    /** The id and the length only, never document text. */
    @Override
    public String toString() {
        return "Document(" + id + ", " + text + ")";
    }
}
