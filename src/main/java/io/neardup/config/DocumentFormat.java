package io.neardup.config;

/** What the values of the input topics are. */
public enum DocumentFormat {
    /** JSON objects. */
    JSON,
    /** The text itself. */
    TEXT
}
