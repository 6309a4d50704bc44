package io.neardup.engine.protocol;

/**
 * A record's key, as 128 bits of a collision-resistant hash: documents with the same key are versions of one thing,
 * and a tombstone with that key removes them.
 */
public record RecordKey(long high, long low) {}
