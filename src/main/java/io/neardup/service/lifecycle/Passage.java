package io.neardup.service.lifecycle;

import java.util.List;

/**
 * A run of words of two texts.
 *
 * @param words each with the space before it, where there is one; the first word of a text has one too, unless it is of
 *     a script without spaces. Of {@link In#REST} none
 */
public record Passage(In in, List<String> words) {
    public Passage {
        words = List.copyOf(words);
    }

    /** The texts that a passage is in. */
    public enum In {
        BOTH,
        /** In both, and not to be shown, as it is far from what differs. */
        BOTH_UNSHOWN,
        FIRST,
        SECOND,
        /** What follows is not compared. */
        REST
    }

    /** The words as they stand in the text. */
    public String text() {
        return String.join("", words);
    }
}
