package io.neardup.engine.protocol;

/**
 * How much heap the candidates of pending documents take, about. Those that are still to be named count as the last
 * ones that were: in a flood of look-alikes each document gets hundreds of candidates, after many more have arrived.
 */
final class CandidateHeap {
    /** The weight of one document in the mean. */
    private static final double WEIGHT = 1 / 64.0;

    private long bytes;
    private int unnamed;
    private double namedBytesMean;

    /** A document is pending, and its candidates are not named yet. */
    void await() {
        unnamed++;
    }

    /** The candidates of such a document are named now, and take so much. */
    void noteNamed(long namedBytes) {
        unnamed--;
        namedBytesMean += WEIGHT * (namedBytes - namedBytesMean);
    }

    /** @param grownBytes below 0 where they take less */
    void grow(long grownBytes) {
        bytes += grownBytes;
    }

    long bytes() {
        return bytes + (long) (unnamed * namedBytesMean);
    }
}
