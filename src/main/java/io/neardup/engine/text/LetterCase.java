package io.neardup.engine.text;

/** What becomes of capital letters in normalized texts. */
public enum LetterCase {
    /** They become small: "The" equals "the". */
    LOWER,
    /** They stay: "The" differs from "the". */
    KEEP
}
