package io.neardup.tools.analysis;

/** Why not all documents ask. */
public enum AskerBound {
    /** All ask. */
    NONE,
    /** More would take too long. */
    WORK,
    /** More do not fit in the memory that they may take. */
    MEMORY
}
