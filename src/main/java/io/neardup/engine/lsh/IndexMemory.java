package io.neardup.engine.lsh;

/** The memory that an index takes. {@link BandTable} says where the figures come from. */
public final class IndexMemory {
    private static final long ARRAY_HEADER = 16;
    private static final int BYTES_PER_BAND = 12;
    private static final int BYTES_PER_PARTITION = 14;

    private IndexMemory() {}

    /**
     * The most bytes of a unique document on all index partitions together.
     *
     * @param partitions over which the bands are spread, at least 1
     */
    public static int bytesPerDocument(Banding banding, int partitions) {
        return BYTES_PER_BAND * banding.bands() + BYTES_PER_PARTITION * Math.min(partitions, banding.bands());
    }

    /** The heap that an array of longs takes, in bytes. */
    static long longs(int length) {
        return ARRAY_HEADER + 8L * length;
    }

    /** The heap that an array of ints takes, or one of references (of 4 bytes: a heap below 32 GB), in bytes. */
    static long ints(int length) {
        return ARRAY_HEADER + 4L * length;
    }
}
