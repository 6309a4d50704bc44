package io.neardup.engine.similarity;

import java.nio.ByteBuffer;

/**
 * The cosine of two texts' weight vectors, estimated from their {@link SimHash}es: cos(pi h / bits) for h bits that
 * differ, and 0 beyond a right angle. The standard error is pi sqrt(p (1 - p) / bits) sin(theta), p being theta / pi:
 * at cosine 0.9 it is 0.060 with 64 bits and 0.015 with 1024. The evidence is the words in order, 8 bytes each, big
 * endian.
 */
public final class EstimatedCosine implements SimilarityJudge {
    /** Version of the evidence; an index made with another cannot be read. */
    public static final int VERSION = 1;

    /** The evidence of the words that {@link SimHash#sign} makes. */
    public static Evidence evidence(long[] words) {
        ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES * words.length);
        buffer.asLongBuffer().put(words);
        return Evidence.of(buffer.array());
    }

    @Override
    public Similarity similarity(Evidence a, Evidence b) {
        int length = a.bytes().length;
        if (length != b.bytes().length || length == 0 || length % Long.BYTES != 0) {
            throw new IllegalArgumentException("Evidence of " + length + " and " + b.bytes().length
                    + " bytes: expected two SimHashes of one size, 8 bytes for 64 bits");
        }
        ByteBuffer wordsOfA = ByteBuffer.wrap(a.bytes());
        ByteBuffer wordsOfB = ByteBuffer.wrap(b.bytes());
        int different = 0;
        for (int at = 0; at < length; at += Long.BYTES) {
            different += Long.bitCount(wordsOfA.getLong(at) ^ wordsOfB.getLong(at));
        }
        double angle = StrictMath.PI * different / (Byte.SIZE * (double) length);
        return Similarity.of(Math.max(0, StrictMath.cos(angle)));
    }
}
