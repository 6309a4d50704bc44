package io.neardup.engine.protocol;

/**
 * What a tombstone takes back.
 *
 * @param beforeSequence originals of the key with a smaller sequence number are originals no more
 */
public record Tombstone(RecordKey key, long beforeSequence) {}
