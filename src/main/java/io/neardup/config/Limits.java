package io.neardup.config;

/** Bounds of the work on a document that no user can choose better, each with its reason. */
public final class Limits {
    /**
     * The most candidates that an index partition returns, the oldest first of those that share as many bands. Below
     * the default of {@code neardup.bucket.max} a full bucket costs little.
     */
    public static final int CANDIDATES_RETURNED_MAX = 950;

    /** The most candidates that a document asks about: those of two index partitions. Sketches tell the likely ones. */
    public static final int CANDIDATES_ASKED_MAX = 2000;

    /**
     * The most likely candidates in each input partition that a document is compared with: a quarter in the order in
     * which they are returned, the others by their sketches. With an eighth as many matches, not counting those that
     * came later, the rest waits until these have made it a duplicate or not. The document waits for at most a 32nd as
     * many that came earlier and are undecided; the other undecided ones are compared only if none of these makes it a
     * duplicate.
     */
    public static final int CANDIDATES_VERIFIED_MAX = 100;

    /**
     * From so many candidates on a document is also compared with those that its candidates repeat or yielded to, so
     * that copies without end hide neither their original nor each other.
     */
    public static final int CANDIDATES_MANY_MIN = 25;

    /**
     * Documents in flight in an instance at which it stops reading until decisions come. Fewer leave its processors
     * idle, as a decision takes half a second and more: 8000 for each of two stream threads.
     */
    public static final int PENDING_MAX = 16_000;

    /** The same bound in bytes of their records; each takes two to three times that of the heap. */
    public static final int PENDING_BYTES_MAX = 128 << 20;

    private Limits() {}
}
