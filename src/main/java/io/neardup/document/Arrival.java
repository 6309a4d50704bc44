package io.neardup.document;

/**
 * A record that is on its way through the service, with the id that was read from it.
 *
 * @param id the document's id; for a tombstone the place of the record
 */
public record Arrival(String id, InputRecord input) {}
