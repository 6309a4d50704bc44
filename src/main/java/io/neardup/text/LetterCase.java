package io.neardup.text;

/** What becomes of capital letters in canonical texts. */
public enum LetterCase {
    /** They become small: "The" equals "the". */
    LOWER,
    /** They stay: "The" differs from "the". */
    KEEP
}
