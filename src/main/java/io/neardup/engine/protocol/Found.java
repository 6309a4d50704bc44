package io.neardup.engine.protocol;

/**
 * Who is in the buckets of a document.
 *
 * @param candidates grouped by how many bands of this partition they share. Each round takes one of every group, that
 *     with the most bands first; within a group the longest in the buckets go first
 * @param leftOut how many more there are
 * @param fullBuckets how many of the buckets were full, and may have refused others
 */
public record Found(DocumentRefs candidates, int leftOut, int fullBuckets) {
    public static final Found NOBODY = new Found(DocumentRefs.NONE, 0, 0);

    /** In buckets none of which was full. */
    public Found(DocumentRefs candidates, int leftOut) {
        this(candidates, leftOut, 0);
    }
}
