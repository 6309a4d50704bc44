package io.neardup.text;

/** What canonical texts make of capital letters. */
public enum LetterCase {
    /** They become small: The is the. */
    LOWER,
    /** They stay: The is not the. */
    KEEP
}
