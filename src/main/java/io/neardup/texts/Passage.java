package io.neardup.texts;

/**
 * A run of words of two texts.
 *
 * @param words with single spaces; of {@link In#REST} none
 */
public record Passage(In in, String words) {
    /** The texts that a passage is in. */
    public enum In {
        BOTH,
        FIRST,
        SECOND,
        /** What follows is not compared. */
        REST
    }
}
