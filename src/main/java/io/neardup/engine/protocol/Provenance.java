package io.neardup.engine.protocol;

/**
 * Where a document comes from, as others tell of it: an original's travels with all that names the original.
 *
 * @param place of its record in the input, such as {@code documents-0-17}: ids are not unique, places are
 * @param source what the document says of its source; empty where it says nothing, or nobody asks
 * @param timestampMillis of its record as it came, any value
 * @param length characters of its text, as code points
 */
public record Provenance(String place, String source, long timestampMillis, int length) {
    /** Of what is no record of an input. */
    public static final Provenance UNKNOWN = new Provenance("", "", 0, 0);
}
