package io.neardup.protocol;

/**
 * What a tombstone takes back.
 *
 * @param beforeSequence originals of the key with a smaller sequence number are originals no more
 */
public record TakeBack(RecordKey key, long beforeSequence) {}
