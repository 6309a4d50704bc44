package io.neardup.config;

/** What the service writes of what it has judged. */
public enum Output {
    /** Each record, to the topic that its decision sends it to. */
    RECORDS,
    /** What became of each record, as a JSON object. */
    VERDICTS
}
