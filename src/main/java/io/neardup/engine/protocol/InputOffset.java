package io.neardup.engine.protocol;

/**
 * Where a coordinator read a record: with it the record is known again when it is read once more after a restart.
 *
 * @param topic one of the input topics; the partition is the coordinator
 * @param offset from 0, rising within a topic, with gaps
 */
public record InputOffset(String topic, long offset) {}
