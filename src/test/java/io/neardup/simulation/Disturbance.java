package io.neardup.simulation;

/** What a simulated run can meet that makes it hard to keep the promises. */
enum Disturbance {
    MESSAGE_LOST,
    MESSAGE_REPEATED,
    /** A crash took back what was consumed or sent since the last commit. */
    WORK_LOST,
    /** A home started again. */
    HOME_MOVED,
    ORIGINAL_EXPIRED,
    /** A tombstone made a home forget an original. */
    ORIGINAL_TAKEN_BACK,
    VERSION_REPLACED,
    /** A document had more candidates than it may ask. */
    CANDIDATE_LEFT_OUT,
    /** A bucket refused a document. */
    BUCKET_FULL
}
