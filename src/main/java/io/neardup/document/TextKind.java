package io.neardup.document;

/** What stands where a JSON document has its text. */
public enum TextKind {
    /** A string. */
    STRING("a string"),
    /** An array of numbers. The text has them as they are written, with one space between. */
    NUMBERS("an array of numbers");

    private final String description;

    TextKind(String description) {
        this.description = description;
    }

    /** For messages, with its article. */
    String description() {
        return description;
    }
}
