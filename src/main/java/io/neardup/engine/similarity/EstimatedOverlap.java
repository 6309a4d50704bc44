package io.neardup.engine.similarity;

import io.neardup.engine.text.Shingles;
import java.nio.ByteBuffer;

/**
 * The Jaccard similarity of two texts, estimated from their signatures within about 0.04 (one standard error, 130
 * values, similarity 0.7). How much of each text is in the other follows from it and from the numbers of their
 * shingles. The evidence is the number of distinct shingles, then the values in order, 4 bytes each, big endian. It is
 * small, and of one size whatever the document.
 */
public final class EstimatedOverlap implements SimilarityJudge {
    /** Version of the evidence; an index made with another cannot be read. */
    public static final int VERSION = 2;

    /** Counts the distinct shingles of text after text, for one thread. */
    public static final class Counter {
        private final HashTable table = new HashTable();

        /** The evidence of a text. */
        public Evidence evidence(Shingles shingles, int[] signature) {
            table.load(shingles);
            return EstimatedOverlap.evidence(table.size(), signature);
        }
    }

    static Evidence evidence(int distinctShingles, int[] signature) {
        ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES * (1 + signature.length));
        buffer.putInt(distinctShingles);
        buffer.asIntBuffer().put(signature);
        return Evidence.of(buffer.array());
    }

    @Override
    public Similarity similarity(Evidence a, Evidence b) {
        int length = a.bytes().length;
        if (length != b.bytes().length || length <= Integer.BYTES || length % Integer.BYTES != 0) {
            throw new IllegalArgumentException("Evidence of " + length + " and " + b.bytes().length
                    + " bytes: expected two signatures of one size, 4 bytes a value and 4 for the number of shingles");
        }
        ByteBuffer valuesOfA = ByteBuffer.wrap(a.bytes());
        ByteBuffer valuesOfB = ByteBuffer.wrap(b.bytes());
        int equal = 0;
        for (int at = Integer.BYTES; at < length; at += Integer.BYTES) {
            equal += valuesOfA.getInt(at) == valuesOfB.getInt(at) ? 1 : 0;
        }
        double jaccard = Integer.BYTES * equal / (double) (length - Integer.BYTES);
        return estimated(jaccard, valuesOfA.getInt(0), valuesOfB.getInt(0));
    }

    /** With J = shared / (a + b - shared), shared = (a + b) J / (1 + J). */
    private static Similarity estimated(double jaccard, int first, int second) {
        double shared = ((double) first + second) * jaccard / (1 + jaccard);
        return new Similarity(jaccard, Math.min(1, shared / first), Math.min(1, shared / second));
    }
}
