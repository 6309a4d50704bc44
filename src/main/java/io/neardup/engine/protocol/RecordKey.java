package io.neardup.engine.protocol;

/**
 * A record's key, as 128 bits of a hash that nobody finds collisions of: documents of one key are versions of one
 * thing, and a tombstone with it removes them.
 */
public record RecordKey(long high, long low) {}
