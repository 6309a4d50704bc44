package io.neardup.protocol;

/**
 * How far a home is with a topic.
 *
 * @param offset all records before it have left
 * @param held whether records from there on are held, or were decided in an earlier life and have not left
 */
public record InputPosition(long offset, boolean held) {}
