package io.neardup.engine.protocol;

/**
 * How far a coordinator is with a topic.
 *
 * @param offset all records before it have left
 * @param held whether records from there on are held, or were decided in an earlier life and have not left
 * @param read whether records from there on are held, or may have been read in an earlier life
 */
public record InputPosition(long offset, boolean held, boolean read) {

    /** Of a coordinator that knows of no more than it holds. */
    public InputPosition(long offset, boolean held) {
        this(offset, held, held);
    }
}
