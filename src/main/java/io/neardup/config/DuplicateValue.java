package io.neardup.config;

/** What the value of a record on the duplicates topic is. */
public enum DuplicateValue {
    /** The record as it arrived; headers say what it repeats. */
    RECORD,
    /** A JSON object that says what it repeats. */
    VERDICT
}
