package io.neardup.config;

/** What is done where an input topic was taken out of the settings before all that was taken of it had left. */
public enum RemovedInput {
    STOP,
    FORGET
}
