package io.neardup.engine.protocol;

/**
 * Where a document comes from: that of an original travels with every message and record that names the original.
 *
 * @param place of its record in the input, such as {@code documents-0-17}: ids are not unique, places are in the life
 *     of an index. {@code documents#1-0-17} where the topic was deleted and made again once; for a document taken
 *     over from another index, its place there
 * @param source what the document says of its source; empty if it says nothing, or if the settings at its arrival did
 *     not ask
 * @param timestampMillis of its record as it came, any value
 * @param length characters of its text, as code points
 */
public record Provenance(String place, String source, long timestampMillis, int length) {
    /** Of what is no document of an input. */
    public static final Provenance UNKNOWN = new Provenance("", "", 0, 0);
}
