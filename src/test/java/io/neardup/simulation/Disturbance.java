package io.neardup.simulation;

/** What a simulated run can meet that makes it hard to keep the promises. */
enum Disturbance {
    MESSAGE_LOST,
    MESSAGE_REPEATED,
    /** All that nobody had taken yet was lost at once. */
    ALL_MESSAGES_LOST,
    /** A document was in buckets whose coordinator did not know it any more, and was taken out. */
    STRAY_DROPPED,
    /** A crash took back what was consumed or sent since the last commit. */
    WORK_LOST,
    /** A coordinator started again. */
    COORDINATOR_MOVED,
    ORIGINAL_EXPIRED,
    /** A tombstone made a coordinator remove an original. */
    TOMBSTONE_ARRIVED,
    /** A tombstone had more originals than a step removes. */
    TOMBSTONE_LEFT,
    /** A record could not leave as it was decided. */
    DECISION_WITHDRAWN,
    VERSION_REPLACED,
    /** A coordinator had more to verify than a step does. */
    WORK_LEFT,
    /** A document had more candidates than it may ask. */
    CANDIDATE_TRUNCATED,
    /** A coordinator dropped a candidate by its sketch. */
    CANDIDATE_CUT,
    /** A coordinator verified fewer candidates than were likely matches. */
    CANDIDATE_OUTRANKED,
    /** A document of a seed came. */
    SEED_TAKEN,
    /** The coordinators handed their inputs over. */
    HANDED_OVER,
    /** A successor took an input over. */
    TAKEN_OVER,
    /** A coordinator of a successor removed what its predecessor had removed. */
    REMOVED_BY_PREDECESSOR,
    /** Somebody asked for a cutover to another successor, too. */
    CUTOVER_ASKED_AGAIN,
    /** A bucket of a document was full, of one that was put there before, too. */
    BUCKET_FULL,
    /** A bucket that had refused a document took it when that asked again. */
    TAKEN_AGAIN
}
