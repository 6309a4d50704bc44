package io.neardup.engine.lsh;

/** The most memory that an index takes. {@link BandTable} says where the figures come from. */
public final class IndexMemory {
    private static final int BYTES_PER_BAND = 12;
    private static final int BYTES_PER_PARTITION = 14;

    private IndexMemory() {}

    /**
     * Bytes of a unique document on all index partitions together.
     *
     * @param partitions over which the bands are spread, at least 1
     */
    public static int bytesPerDocument(Banding banding, int partitions) {
        return BYTES_PER_BAND * banding.bands() + BYTES_PER_PARTITION * Math.min(partitions, banding.bands());
    }
}
