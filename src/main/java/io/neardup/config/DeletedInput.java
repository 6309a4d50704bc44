package io.neardup.config;

/** What is done where records of the input were deleted before they had left. */
public enum DeletedInput {
    STOP,
    SKIP
}
