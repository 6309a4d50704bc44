package io.neardup.protocol;

/**
 * How far a home is with a topic.
 *
 * @param offset all records before it have left
 * @param held whether the record at it was taken and has not left; if not, no record was taken from there on
 */
public record InputPosition(long offset, boolean held) {}
