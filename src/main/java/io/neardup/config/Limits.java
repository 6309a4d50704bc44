package io.neardup.config;

/** Bounds of the work on a document that no user can choose better, each with its reason. */
public final class Limits {
    /**
     * The most candidates that an index partition returns, those that share the most bands first and of equals the
     * oldest. With 250 the advisories of one template lost 2 pairs in 1,000, with 500 none.
     */
    public static final int CANDIDATES_RETURNED_MAX = 500;

    /**
     * Documents in flight in an instance at which it stops reading until decisions come. Fewer leave its processors
     * idle, as a decision takes half a second and more: 8000 for each of two stream threads.
     */
    public static final int PENDING_MAX = 16_000;

    /** The same bound in bytes of their records; each takes two to three times that of the heap. */
    public static final int PENDING_BYTES_MAX = 128 << 20;

    /**
     * Shingles of a document at the most, repeats included, where {@code neardup.document.bytes.max} is no more.
     * Whoever raises that wants longer texts judged; in each coordinator a shingle takes 100 to 150 bytes of heap while
     * two such texts are compared, some 33 of them for good.
     */
    public static final int SHINGLES_MAX = 1_000_000;

    private Limits() {}
}
