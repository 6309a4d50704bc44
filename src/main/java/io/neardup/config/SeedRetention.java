package io.neardup.config;

/** What the retention of a document of a seed counts from. */
public enum SeedRetention {
    /** When it was read. */
    SEEDING,
    /** The timestamp of its record. */
    RECORD
}
